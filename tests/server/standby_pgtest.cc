// Two batonds on one database.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/server/server.h"
#include "tests/server/running_service.h"

namespace baton {
namespace {

using testing::HasSubstr;

TEST(Standby, NamesTheLeaderAndLeadsWhenItResigns) {
  RunningService leader;
  leader.WaitForLead();
  RunningService standby(leader.url());
  v2::PingResponse ping;
  ASSERT_TRUE(Eventually([&] {
    return standby.admin->Ping(Context().get(), {}, &ping).ok() && ping.leader_address() == leader.address();
  }));
  EXPECT_FALSE(ping.available());
  EXPECT_FALSE(standby.Serving());
  const auto context = Context();
  v2::DesireLRPResponse response;
  const grpc::Status refused = standby.apps->DesireLRP(context.get(), RunningService::SmallApp("app"), &response);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(refused.error_message(), HasSubstr(leader.address()));
  EXPECT_EQ(context->GetServerTrailingMetadata().count("baton-retry-after-ms"), 1u);

  ASSERT_TRUE(leader.Desire(RunningService::SmallApp("app")).ok());
  const std::int64_t epoch = ping.epoch();
  leader.Stop();
  standby.WaitForLead();
  ASSERT_TRUE(standby.admin->Ping(Context().get(), {}, &ping).ok());
  EXPECT_GT(ping.epoch(), epoch);
  EXPECT_EQ(standby.Desire(RunningService::SmallApp("app")).error_code(), grpc::StatusCode::ALREADY_EXISTS)
      << "what the first leader took is there";
}

TEST(Standby, OnlyLoopbackIsListenedOn) {
  for (const char* open : {"0.0.0.0:1", "[::]:1", "192.168.1.1:1", "example.com:1"}) {
    const Status status = CheckLoopback("--listen", open);
    ASSERT_FALSE(status) << open;
    EXPECT_THAT(status.error().message, HasSubstr("no TLS")) << open;
  }
  for (const char* odd : {"", "127.0.0.1", "127.0.0.1:", ":1"}) EXPECT_FALSE(CheckLoopback("--listen", odd)) << odd;
  for (const char* fine : {"127.0.0.1:1", "localhost:1", "[::1]:1"})
    EXPECT_TRUE(CheckLoopback("--listen", fine)) << fine;
}

}  // namespace
}  // namespace baton
