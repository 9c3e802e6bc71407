// PostgreSQL goes away under a running batond and comes back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/own_postgres.h"
#include "tests/server/running_service.h"

namespace baton {
namespace {

TEST(DatabaseAway, CallsAreUnavailableWithAHintAndItGoesOnWhenItIsBack) {
  OwnPostgres own;
  RunningService service(own.postgres->url());
  service.WaitForLead();
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("before")).ok());

  ASSERT_TRUE(own.postgres->StopImmediately().ok());
  EXPECT_FALSE(own.postgres->Runs());
  grpc::Status status;
  std::string hint;
  const auto refused = [&] {
    const auto context = Context();
    v2::DesireLRPResponse response;
    status = service.apps->DesireLRP(context.get(), RunningService::SmallApp("during"), &response);
    const auto& trailers = context->GetServerTrailingMetadata();
    const auto at = trailers.find("baton-retry-after-ms");
    hint = at == trailers.end() ? "" : std::string(at->second.data(), at->second.size());
  };
  refused();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE) << status.error_message();
  EXPECT_GT(std::atoi(hint.c_str()), 0) << "hint: '" << hint << "'";
  v2::GetDesiredLRPRequest get;
  get.set_process_guid("before");
  v2::GetDesiredLRPResponse got;
  EXPECT_EQ(service.apps->GetDesiredLRP(Context().get(), get, &got).error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_TRUE(Eventually([&] { return !service.Serving(); })) << "the lease cannot be renewed";

  ASSERT_TRUE(own.postgres->StartAgain().ok());
  service.WaitForLead();
  EXPECT_TRUE(service.apps->GetDesiredLRP(Context().get(), get, &got).ok());
  EXPECT_TRUE(Eventually([&] { return refused(), status.ok(); })) << status.error_message();
}

}  // namespace
}  // namespace baton
