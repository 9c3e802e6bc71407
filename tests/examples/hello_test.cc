// The demo's app, as the real binary.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>

#include "tests/examples/hello_process.h"
#include "tests/examples/http_client.h"

namespace baton::examples {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

milliseconds Since(steady_clock::time_point start) {
  return std::chrono::duration_cast<milliseconds>(steady_clock::now() - start);
}

bool Refused(std::uint16_t port) {
  try {
    HttpClient client(port);
    return false;
  } catch (const boost::system::system_error& error) {
    return error.code() == asio::error::connection_refused;
  }
}

TEST(HelloTest, SaysWhoItIs) {
  ChildProcess hello =
      StartHello({{"VERSION", "v1 \"quoted\""}, {"CF_INSTANCE_INDEX", "2"}, {"CF_INSTANCE_GUID", "guid-7"}});
  const HttpReply reply = HttpClient(PortOf(hello)).Get("/");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.Json(),
            (nlohmann::json{{"version", "v1 \"quoted\""}, {"index", 2}, {"instance", "guid-7"}, {"pid", hello.pid()}}));
}

TEST(HelloTest, ASlowAnswerDoesNotHoldUpOthers) {
  ChildProcess hello = StartHello();
  HttpClient slow(PortOf(hello));
  HttpClient fast(PortOf(hello));
  const auto start = steady_clock::now();
  slow.Send("/slow?ms=600");
  EXPECT_EQ(fast.Get("/").status, 200);
  EXPECT_LT(Since(start), milliseconds(600));
  EXPECT_EQ(slow.Receive().status, 200);
  EXPECT_GE(Since(start), milliseconds(600));
}

TEST(HelloTest, AnswersEverythingWith503UntilItsStartDelayHasPassed) {
  const auto start = steady_clock::now();
  ChildProcess hello = StartHello({{"START_DELAY_MS", "700"}});
  HttpClient client(PortOf(hello));
  EXPECT_EQ(client.Get("/healthz").status, 503);
  EXPECT_EQ(client.Get("/").status, 503);
  EXPECT_EQ(client.Get("/slow?ms=1").status, 503);
  while (client.Get("/healthz").status != 200) ASSERT_LT(Since(start), std::chrono::seconds(10));
  EXPECT_GE(Since(start), milliseconds(700));
  EXPECT_EQ(client.Get("/").status, 200);
}

TEST(HelloTest, IsNeverReadyIfAskedSo) {
  ChildProcess hello = StartHello({{"NEVER_READY", "1"}});
  HttpClient client(PortOf(hello));
  EXPECT_EQ(client.Get("/healthz").status, 503);
  EXPECT_EQ(client.Get("/").status, 503);
}

TEST(HelloTest, AnswersLateIfAskedSo) {
  ChildProcess hello = StartHello({{"ANSWER_DELAY_MS", "300"}});
  HttpClient client(PortOf(hello));
  const auto start = steady_clock::now();
  EXPECT_EQ(client.Get("/").status, 200);
  EXPECT_GE(Since(start), milliseconds(300));
}

TEST(HelloTest, CrashesIfAskedSo) {
  ChildProcess hello = StartHello({{"CRASH_AFTER_MS", "200"}, {"CRASH_CODE", "7"}});
  HttpClient client(PortOf(hello));
  client.Send("/slow?ms=5000");
  EXPECT_EQ(hello.WaitForEnd(), 7);
  EXPECT_NE(hello.Output().find("\ncrashing as asked after 200 ms"), std::string::npos) << hello.Output();
  EXPECT_EQ(hello.Output().find("hello.stopped"), std::string::npos) << hello.Output();
}

TEST(HelloTest, OnSigtermFinishesWhatIsInFlightAndThenExits) {
  ChildProcess hello = StartHello();
  const std::uint16_t port = PortOf(hello);
  HttpClient slow(port);
  HttpClient idle(port);
  EXPECT_EQ(idle.Get("/").status, 200);
  slow.Send("/slow?ms=600");
  EXPECT_EQ(idle.Get("/").status, 200);  // so `slow` has been read: the server reads in the order of arrival
  hello.Signal(SIGTERM);
  EXPECT_TRUE(idle.ReadsEnd());
  EXPECT_TRUE(Refused(port));
  const HttpReply reply = slow.Receive();
  EXPECT_EQ(reply.status, 200);
  EXPECT_FALSE(reply.keep_alive);
  EXPECT_TRUE(slow.ReadsEnd());
  EXPECT_EQ(hello.WaitForEnd(), 0);
  EXPECT_NE(hello.Output().find(R"({"event":"hello.stopped","answered":3})"), std::string::npos) << hello.Output();
}

TEST(HelloTest, OnSigtermStillServesAClientThatHasJustConnected) {
  ChildProcess hello = StartHello();
  HttpClient client(PortOf(hello));
  hello.Signal(SIGTERM);
  EXPECT_EQ(client.Get("/").status, 200);
  EXPECT_EQ(hello.WaitForEnd(), 0);
}

TEST(HelloTest, OnSigtermDoesNotWaitForTheEndOfItsStartDelay) {
  ChildProcess hello = StartHello({{"START_DELAY_MS", "60000"}, {"CRASH_AFTER_MS", "60000"}});
  ASSERT_NE(PortOf(hello), 0);
  hello.Signal(SIGTERM);
  EXPECT_EQ(hello.WaitForEnd(std::chrono::seconds(5)), 0);
}

TEST(HelloTest, AnswersSeveralRequestsSentAtOnceInTheirOrder) {
  ChildProcess hello = StartHello();
  HttpClient client(PortOf(hello));
  client.Send("/slow?ms=100");
  client.Send("/healthz");
  EXPECT_NE(client.Receive().body.find("version"), std::string::npos);
  EXPECT_NE(client.Receive().body.find("ready"), std::string::npos);
}

TEST(HelloTest, KeepsAConnectionThatIsIdle) {
  ChildProcess hello = StartHello();
  HttpClient pooled(PortOf(hello));
  EXPECT_EQ(pooled.Get("/").status, 200);
  EXPECT_EQ(HttpClient(PortOf(hello)).Get("/slow?ms=2000").status, 200);
  EXPECT_EQ(pooled.Get("/").status, 200);
}

TEST(HelloTest, RefusesWhatItDoesNotKnow) {
  ChildProcess hello = StartHello();
  HttpClient client(PortOf(hello));
  EXPECT_EQ(client.Get("/other").status, 404);
  EXPECT_EQ(client.Get("/", "DELETE").status, 405);
  EXPECT_EQ(client.Get("/slow?ms=60001").status, 400);
  EXPECT_EQ(client.Get("/slow?ms=8x").status, 400);
}

TEST(HelloTest, RefusesAnEnvironmentThatMakesNoSense) {
  EXPECT_EQ(StartHello({{"PORT", "80a"}}).WaitForEnd(), 2);
  EXPECT_EQ(StartHello({{"CRASH_CODE", "256"}}).WaitForEnd(), 2);
  EXPECT_EQ(StartHello({{"BIND", "300.0.0.1"}}).WaitForEnd(), 1);
}

}  // namespace
}  // namespace baton::examples
