// TCP routes: a real HAProxy with a range of ports.
#include <gmock/gmock.h>

#include <memory>
#include <optional>

#include "tests/tools/router/router_stack.h"
#include "tests/tools/router/tcp_client.h"
#include "tests/tools/router/tcp_instance.h"
#include "tests/tools/router/wait_until.h"
#include "tools/stack/free_port.h"

namespace baton::router {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class TcpE2e : public ::testing::Test {
 protected:
  void Begin(const std::vector<v2::Endpoint>& endpoints, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--retries", "0", "--tcp-ports", std::to_string(port_)});
    stack_.Spawn(more);
    ASSERT_TRUE(stack_.routes().WaitForStream(1));
    ASSERT_TRUE(stack_.routes().WaitApplied(stack_.routes().Snapshot(endpoints)));
    worker_ = stack_.WorkerPid();
  }
  v2::Endpoint Endpoint(const std::string& actual_id, const TcpInstance& instance, const std::string& group = "") const {
    return MakeEndpoint(Route(group), actual_id, instance.port());
  }
  std::string Route(const std::string& group = "") const { return ":" + std::to_string(port_) + "/" + group; }

  RouterStack stack_;
  int port_ = stack::FreePort();
  int worker_ = 0;
};

TEST_F(TcpE2e, AConnectionHoldsTheDrainOfItsInstanceAndNoOthers) {
  const TcpInstance one("one"), two("two");
  ScriptedRoutes& routes = stack_.routes();
  Begin({});
  EXPECT_EQ(WhoAnswers(port_), "");  // nobody: closed at once
  ASSERT_TRUE(routes.WaitApplied(routes.Change({Endpoint("i1", one)})));
  TcpClient client(port_);
  EXPECT_EQ(client.ReadLine(), "one");
  ASSERT_TRUE(routes.WaitApplied(routes.Change({Endpoint("i2", two)}, {Endpoint("i1", one)})));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(WhoAnswers(port_), "two");
  EXPECT_TRUE(client.Echoes("still here"));
  EXPECT_FALSE(routes.IsDrained("i1"));
  ASSERT_TRUE(routes.WaitApplied(routes.Change({}, {Endpoint("i2", two)})));
  EXPECT_TRUE(routes.WaitDrained("i2"));  // its connections are over
  EXPECT_EQ(WhoAnswers(port_), "");       // the last one drains: closed at once
  EXPECT_TRUE(client.Echoes("still here"));
  EXPECT_FALSE(routes.IsDrained("i1"));
  client.Close();
  EXPECT_TRUE(routes.WaitDrained("i1"));
  ASSERT_TRUE(routes.WaitApplied(routes.Change({}, {}, {MakeKey(Route(), "i1"), MakeKey(Route(), "i2")})));
  EXPECT_EQ(WhoAnswers(port_), "");
  EXPECT_TRUE(WaitUntil([&] { return stack_.Look()->servers.empty(); }));
  EXPECT_EQ(stack_.WorkerPid(), worker_);
}

TEST_F(TcpE2e, InstancesAreReplacedUnderTrafficWithoutAFailedConnection) {
  std::vector<std::unique_ptr<TcpInstance>> instances;
  for (int i = 0; i < 5; ++i) instances.push_back(std::make_unique<TcpInstance>("one"));
  ScriptedRoutes& routes = stack_.routes();
  Begin({Endpoint("i0", *instances[0])});
  std::atomic<bool> stop{false};
  std::atomic<int> connections{0}, failures{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 3; ++i) {
    clients.emplace_back([&] {
      while (!stop) {
        TcpClient client(port_);
        if (client.ReadLine() != "one" || !client.Echoes("a") || !client.Echoes("b")) ++failures;
        ++connections;
      }
    });
  }
  for (std::size_t i = 1; i < instances.size(); ++i) {
    const std::string before = "i" + std::to_string(i - 1);
    EXPECT_TRUE(routes.WaitApplied(routes.Change({Endpoint("i" + std::to_string(i), *instances[i])})));
    routes.Change({}, {Endpoint(before, *instances[i - 1])});
    EXPECT_TRUE(routes.WaitDrained(before));
    EXPECT_TRUE(routes.WaitApplied(routes.Change({}, {}, {MakeKey(Route(), before)})));
    const int until = connections + 30;
    EXPECT_TRUE(WaitUntil([&] { return connections >= until; }));
  }
  stop = true;
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(stack_.WorkerPid(), worker_);
}

TEST_F(TcpE2e, APortOutsideOfTheRangeIsRefusedByNameAndTheRestIsServed) {
  const TcpInstance one("one"), two("two");
  const std::string outside = ":" + std::to_string(port_ == 65535 ? 1 : port_ + 1);
  Begin({Endpoint("i1", one), MakeEndpoint(outside, "i2", two.port())});
  EXPECT_EQ(WhoAnswers(port_), "one");
  EXPECT_THAT(stack_.RouterLog(), HasSubstr("route_not_served"));
  EXPECT_THAT(stack_.RouterLog(), HasSubstr("tcp" + outside));
  const auto status = stack_.RouterCommand("status --socket " + stack_.files().socket);
  EXPECT_EQ(status.status, 3);
  EXPECT_THAT(status.text, HasSubstr("NOT SERVED, no such port or taken: tcp" + outside));
  stack_.routes().Change({}, {MakeEndpoint(outside, "i2", two.port())});
  EXPECT_TRUE(stack_.routes().WaitDrained("i2"));
}

TEST_F(TcpE2e, ARouterOfAGroupServesThatGroupOnlyAndReportsWhatDrainsElsewhere) {
  const TcpInstance one("one"), two("two");
  Begin({Endpoint("i1", one, "ours"), Endpoint("i2", two, "theirs")}, {"--router-group", "ours"});
  for (int i = 0; i < 5; ++i) EXPECT_EQ(WhoAnswers(port_), "one");
  EXPECT_THAT(stack_.RouterLog(), Not(HasSubstr("not_served")));
  stack_.routes().Change({}, {Endpoint("i2", two, "theirs")});
  EXPECT_TRUE(stack_.routes().WaitDrained("i2"));
}

// A reload is for more HTTP routes; a TCP connection stays with the old worker and still counts.
TEST_F(TcpE2e, AConnectionThatAnOldWorkerHasHoldsTheDrain) {
  const TcpInstance one("one"), two("two");
  const HttpInstance web("web");
  ScriptedRoutes& routes = stack_.routes();
  Begin({Endpoint("i1", one)}, {"--backends", "1"});
  TcpClient client(port_);
  EXPECT_EQ(client.ReadLine(), "one");
  const auto grown = routes.Change({Endpoint("i2", two), MakeEndpoint("a.example", "w", web.port()),
                                    MakeEndpoint("a.example/api", "w", web.port())});
  ASSERT_TRUE(routes.WaitApplied(grown));
  EXPECT_NE(stack_.WorkerPid(), worker_);
  EXPECT_TRUE(client.Echoes("still here"));
  ASSERT_TRUE(routes.WaitApplied(routes.Change({}, {Endpoint("i1", one)})));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(WhoAnswers(port_), "two");
  ASSERT_TRUE(routes.WaitApplied(routes.Change({}, {Endpoint("i2", two)})));
  ASSERT_TRUE(routes.WaitDrained("i2"));  // so drains were looked at
  EXPECT_FALSE(routes.IsDrained("i1"));
  EXPECT_TRUE(client.Echoes("still here"));
  client.Close();
  EXPECT_TRUE(routes.WaitDrained("i1"));
}

TEST_F(TcpE2e, AHaproxyThatOthersRunHasThePortsOfItsConfiguration) {
  const TcpInstance one("one");
  stack_.StartHaproxy(2, "--tcp-ports " + std::to_string(port_));
  stack_.Join();
  ASSERT_TRUE(stack_.routes().WaitForStream(1));
  ASSERT_TRUE(stack_.routes().WaitApplied(stack_.routes().Snapshot({Endpoint("i1", one)})));
  EXPECT_EQ(WhoAnswers(port_), "one");
}

TEST(TcpOptions, WhatCannotBeIsRefusedAtTheStart) {
  const RouterStack stack;
  for (const char* arguments : {"--tcp-ports 5-4", "--tcp-ports x", "--tcp-ports 1024-65535", "--tcp-listen 127.0.0.1",
                                "--tcp-ports 8000-9000", "--tcp-ports 1024 --listen unix@/tmp/x"}) {
    EXPECT_EQ(stack.RouterCommand(std::string("config ") + arguments + " 2>/dev/null").status, 2) << arguments;
  }
  EXPECT_EQ(stack.RouterCommand("config --tcp-ports 1024-1030").status, 0);
}

}  // namespace
}  // namespace baton::router
