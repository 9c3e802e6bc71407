// The database stands still for longer than the leader's lease, in the middle of a roll and under traffic, and goes on.
#include <grpcpp/client_context.h>
#include <signal.h>

#include <iostream>

#include "orchestrator/model/calls/wire_names.h"
#include "tests/e2e/flight_recorder.h"
#include "tests/e2e/scene.h"
#include "tools/client/channel.h"

namespace baton {
namespace {

class Troubles : public Scene {
 protected:
  Troubles() : Scene(Two()) {}

  static stack::StackOptions Two() {
    stack::StackOptions options;
    options.batonds = 2;
    options.postgres_settings = FlightRecorder::Settings();
    return options;
  }
  // One try, by whoever led: an answer that says no, and when to ask again.
  void ExpectRefusedWithAHint(std::size_t which) {
    const auto apps = v2::DesiredLRPs::NewStub(Dial(stack_->api_address(which)));
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    v2::UpdateDesiredLRPRequest request;
    request.set_process_guid(app_.process_guid);
    request.mutable_update()->set_annotation("never");
    v2::UpdateDesiredLRPResponse response;
    const grpc::Status status = apps->UpdateDesiredLRP(&context, request, &response);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE) << status.error_message();
    EXPECT_TRUE(context.GetServerTrailingMetadata().contains(kRetryTrailer));
  }
  std::string Annotation() {
    const auto apps = v2::DesiredLRPs::NewStub(Dial(stack_->api_address(stack_->api().Leader().value_or(0))));
    grpc::ClientContext context;
    v2::GetDesiredLRPRequest request;
    request.set_process_guid(app_.process_guid);
    request.set_reveal_secrets(true);
    v2::GetDesiredLRPResponse response;
    EXPECT_TRUE(apps->GetDesiredLRP(&context, request, &response).ok());
    return response.desired_lrp().annotation();
  }
  void Write(const std::string& annotation) {
    v2::DesiredLRPUpdate update;
    update.set_annotation(annotation);
    stack_->api().Update(app_.process_guid, update);
  }
};

TEST_F(Troubles, ADatabaseThatStandsStillDeposesTheLeaderAndNobodyNotices) {
  Begin();
  FlightRecorder recorder(stack_->database_url(), stack_->dir() + "/pg/postgres.log");
  StartTraffic();
  const v2::Roll roll = Update("v2");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  Write("acknowledged");
  const std::int64_t epoch = stack_->api().Epoch();
  const std::size_t leader = stack_->api().Leader().value_or(0);
  stack_->SignalPostgres(SIGSTOP);
  EXPECT_TRUE(Await([&] { return !stack_->api().Available(); })) << "it leads by its own clock no more";
  ExpectRefusedWithAHint(leader);
  const auto began = std::chrono::steady_clock::now();
  stack_->SignalPostgres(SIGCONT);
  ASSERT_TRUE(Await([&] { return stack_->api().Available(); }));
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
  EXPECT_TRUE(Await([&] { return stack_->api().Epoch() > epoch; }));
  EXPECT_EQ(Annotation(), "acknowledged");
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  EXPECT_TRUE(AwaitOnly("v2", app_.instances));
  ExpectUnnoticed();
  const FlightReport report = recorder.Read();
  for (const std::string& breach : report.breaches) ADD_FAILURE() << breach;
  std::cout << "leaders database stood still: led again " << took.count() << " ms after it went on\n";
}

}  // namespace
}  // namespace baton
