// A batond that comes late, and one of several.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <sstream>
#include <thread>

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
  EXPECT_THAT(said, testing::HasSubstr("no batond takes calls at " + address));
}

// "no batond takes calls at 127.0.0.1:8892" was all that was said of a standby that had named its leader.
TEST(Unreachable, WhereOnlyAStandbyIsGivenItsLeaderIsNamedAndAsked) {
  ServiceOptions options;
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
  EXPECT_THAT(said, testing::AllOf(testing::StartsWith(told), testing::HasSubstr("\nshop ")));
  EXPECT_EQ(Do({"--batond", standby.address(), "events"}, said), kDone) << said;
  EXPECT_THAT(said, testing::StartsWith(told));
  EXPECT_EQ(Do({"--batond", leader.address(), "get", "apps"}, said), kDone) << said;
  EXPECT_THAT(said, testing::Not(testing::HasSubstr("stands by")));
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

}  // namespace
}  // namespace baton::cli
