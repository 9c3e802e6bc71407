// A commit happens and its answer is lost: the caller is told that nobody knows, and the routers get what changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/commit_cutter.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/server/scripted_cell.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

TEST(CommitInDoubt, RoutersGetWhatTheLostCommitChanged) {
  CommitCutter cutter(MigratedDatabase(), "UpsertDesired");
  RunningService service(cutter.url());
  service.WaitForLead();
  ScriptedCell cell(service, "cell-1");
  cell.Hello();
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("app")).ok());
  const std::string id = cell.NextRun().actual_id();
  EXPECT_EQ(cell.Report(ScriptedCell::Claimed(id)).outcome(), v2::CellReportResult::APPLIED);
  EXPECT_EQ(cell.Report(ScriptedCell::Started(id)).outcome(), v2::CellReportResult::APPLIED);

  const auto context = Context();
  const auto router = service.routes->Connect(context.get());
  v2::RouteConsumerMessage hello;
  hello.mutable_hello()->set_protocol_version(1);
  hello.mutable_hello()->set_consumer_id("router");
  router->Write(hello);
  v2::RouteMessage message;
  ASSERT_TRUE(router->Read(&message));
  EXPECT_EQ(message.snapshot().endpoints_size(), 0);

  cutter.CutNext(CommitCutter::Cut::kAfter);
  v2::UpdateDesiredLRPRequest update;
  update.set_process_guid("app");
  auto& route = *update.mutable_update()->mutable_routes()->mutable_routes();
  route["cf-router"] = R"([{"hostnames":["new.example"],"port":8080}])";
  const grpc::Status status = service.Update(update);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(status.error_message(), HasSubstr("it may have been done"));
  EXPECT_TRUE(cutter.cut());
  ASSERT_TRUE(router->Read(&message)) << "the router is not told";
  ASSERT_EQ(message.change().added_size(), 1);
  EXPECT_EQ(message.change().added(0).hostname(), "new.example");
  EXPECT_EQ(message.change().added(0).actual_id(), id);
  context->TryCancel();
}

}  // namespace
}  // namespace baton
