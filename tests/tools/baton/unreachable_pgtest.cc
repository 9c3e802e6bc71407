// A batond that comes late, and one of several.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "baton/v2/upgrades_service.grpc.pb.h"
#include "tests/server/running_service.h"
#include "tools/baton/baton.h"
#include "tools/baton/outcome.h"

namespace baton::cli {
namespace {

int Do(const std::vector<std::string>& words, std::string& said) {
  std::istringstream in;
  std::ostringstream out;
  Io io{in, out, out, nullptr, [] { return std::int64_t{1}; }};
  const int exit_status = cli::Run(words, io);
  said = out.str();
  return exit_status;
}

TEST(Unreachable, TheNextAddressIsTriedAndOneThatComesLateIsWaitedFor) {
  std::string said;
  auto service = std::make_unique<RunningService>();  // asked at once: it does not lead yet
  EXPECT_EQ(Do({"--batond", "127.0.0.1:1," + service->address(), "get", "cells"}, said), kDone) << said;
  const std::string address = service->address();
  service.reset();
  EXPECT_EQ(Do({"--batond", address, "--timeout", "0.3", "get", "cells"}, said), kUnreachable) << said;
  EXPECT_THAT(said, ::testing::HasSubstr("no batond takes calls at " + address));
}

// "no batond takes calls at 127.0.0.1:8892" was all that was said of a standby that had named its leader.
TEST(Unreachable, WhereOnlyAStandbyIsGivenItsLeaderIsNamedAndAsked) {
  batond::ServiceOptions options;
  options.leader_lease = std::chrono::minutes(2);
  RunningService leader({}, options);
  leader.WaitForLead();
  RunningService standby(leader.url(), options);
  v2::PingResponse ping;
  ASSERT_TRUE(Eventually([&] {
    return standby.admin->Ping(Context().get(), {}, &ping).ok() && ping.leader_address() == leader.address();
  }));
  ASSERT_TRUE(leader.Desire(RunningService::SmallApp("shop")).ok());
  const std::string told = "baton: warning: " + standby.address() + " stands by, the leader is " + leader.address();
  std::string said;
  EXPECT_EQ(Do({"--batond", standby.address(), "get", "apps"}, said), kDone) << said;
  EXPECT_THAT(said, ::testing::AllOf(::testing::HasSubstr(told), ::testing::HasSubstr("\nshop ")));
  EXPECT_EQ(Do({"--batond", standby.address(), "events"}, said), kDone) << said;
  EXPECT_THAT(said, ::testing::HasSubstr(told));
  EXPECT_EQ(Do({"--batond", leader.address(), "get", "apps"}, said), kDone) << said;
  EXPECT_THAT(said, ::testing::Not(::testing::HasSubstr("stands by")));
}

// Says what it is told to.
class Pretender final : public v2::Admin::Service, public v2::Cells::Service {
 public:
  Pretender() {
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(static_cast<v2::Admin::Service*>(this));
    builder.RegisterService(static_cast<v2::Cells::Service*>(this));
    server_ = builder.BuildAndStart();
    address = "127.0.0.1:" + std::to_string(port);
  }
  grpc::Status Ping(grpc::ServerContext*, const v2::PingRequest*, v2::PingResponse* answer) override {
    *answer = ping;
    return grpc::Status::OK;
  }
  grpc::Status ListCells(grpc::ServerContext* context, const v2::ListCellsRequest*, v2::ListCellsResponse*) override {
    ++calls;
    if (ping.available()) return grpc::Status::OK;
    context->AddTrailingMetadata("baton-leader", ping.leader_address());
    return {grpc::StatusCode::UNAVAILABLE, "stands by"};
  }

  std::string address;
  v2::PingResponse ping;
  std::atomic<int> calls = 0;

 private:
  std::unique_ptr<grpc::Server> server_;
};

// Through a tunnel the leader's address may be that of another batond here.
TEST(Unreachable, ABatondThatIsNotTheLeaderWhichAStandbyNamesIsNotAsked) {
  Pretender standby, named;
  standby.ping.set_leader_address(named.address);
  standby.ping.set_epoch(3);
  named.ping.set_available(true);
  named.ping.set_leader_address(named.address);
  named.ping.set_epoch(4);
  std::string said;
  EXPECT_EQ(Do({"--batond", standby.address, "--timeout", "0.5", "get", "cells"}, said), kUnreachable) << said;
  EXPECT_GT(standby.calls, 0);
  EXPECT_EQ(named.calls, 0) << "another epoch: it leads another store";
  named.ping.set_epoch(3);
  EXPECT_EQ(Do({"--batond", standby.address, "get", "cells"}, said), kDone) << said;
  EXPECT_EQ(named.calls, 1);
}

// Of a pair whose second one led, `baton ping` asked the first one alone, and ended as if nobody took calls.
TEST(Unreachable, APingIsAnsweredByWhoTakesCallsAndElseByWhoStandsBy) {
  Pretender standby, leader;
  leader.ping.set_available(true);
  for (Pretender* one : {&standby, &leader}) one->ping.set_leader_address(leader.address);
  const std::string led = "leader " + leader.address;
  std::string said;
  EXPECT_EQ(Do({"--batond", standby.address + "," + leader.address, "ping"}, said), kDone) << said;
  EXPECT_THAT(said, ::testing::StartsWith("available, " + led));
  EXPECT_EQ(Do({"--batond", standby.address + ",127.0.0.1:1", "ping"}, said), kUnreachable) << said;
  EXPECT_THAT(said, ::testing::HasSubstr("not available, " + led));
  EXPECT_EQ(Do({"--batond", "127.0.0.1:1", "ping"}, said), kUnreachable) << said;
  EXPECT_THAT(said, ::testing::HasSubstr("no batond takes calls at 127.0.0.1:1"));
}

// An upgrade that goes on, until it is told to be over; it may be away.
class Upgraded final : public v2::Admin::Service, public v2::Upgrades::Service {
 public:
  Upgraded() {
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(static_cast<v2::Admin::Service*>(this));
    builder.RegisterService(static_cast<v2::Upgrades::Service*>(this));
    server_ = builder.BuildAndStart();
    address = "127.0.0.1:" + std::to_string(port);
  }
  grpc::Status Ping(grpc::ServerContext*, const v2::PingRequest*, v2::PingResponse* answer) override {
    answer->set_available(true);
    return grpc::Status::OK;
  }
  // The second to the fifth call meet nobody.
  grpc::Status GetUpgrade(grpc::ServerContext*, const v2::GetUpgradeRequest*, v2::UpgradeResponse* answer) override {
    const int call = ++calls;
    if (call > 1 && (stays_away || call < 6)) return {grpc::StatusCode::UNAVAILABLE, "it starts"};
    answer->set_state(call == 1 ? "SYNCING" : "SWITCHED");
    return grpc::Status::OK;
  }

  std::string address;
  std::atomic<int> calls = 0;
  std::atomic<bool> stays_away = false;

 private:
  std::unique_ptr<grpc::Server> server_;
};

// `rollout status --watch` outlived a batond that came back; the watch of an upgrade, in which batonds are restarted, ended
// with exit status 3.
TEST(Unreachable, TheWatchOfAnUpgradeOutlivesBatond) {
  setenv("BATON_TIMEOUT", "0.4", 1);  // so that each of these calls is given up; the first one connects within it
  Upgraded batond;
  std::string said;
  EXPECT_EQ(Do({"--batond", batond.address, "admin", "upgrade-status", "--watch"}, said), kDone) << said;
  EXPECT_THAT(said, ::testing::AllOf(::testing::HasSubstr("SYNCING"), ::testing::HasSubstr("SWITCHED")));
  EXPECT_GE(batond.calls, 6);
  batond.calls = 0;
  batond.stays_away = true;
  EXPECT_EQ(Do({"--batond", batond.address, "admin", "upgrade-status", "--watch", "--timeout", "1s"}, said), kFailed);
  EXPECT_THAT(said, ::testing::AllOf(::testing::HasSubstr("the upgrade is not done after 1 s: SYNCING"),
                                     ::testing::HasSubstr("what it waits for is not known: no batond takes calls")));
  batond.calls = 0;
  EXPECT_EQ(Do({"--batond", batond.address, "--reconnect-timeout", "0.2", "admin", "upgrade-status", "--watch"}, said),
            kUnreachable);
  unsetenv("BATON_TIMEOUT");
}

}  // namespace
}  // namespace baton::cli
