// PostgreSQL is killed in the middle of an update, all of its processes at once.
#include <grpcpp/client_context.h>

#include "orchestrator/model/calls/wire_names.h"
#include "tests/e2e/rolling_app.h"
#include "tools/client/channel.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

struct Answer {
  grpc::Status status;
  bool says_when = false;  // when it is worth asking again
};

class Caller {
 public:
  explicit Caller(const std::string& address)
      : rolls_(v2::Rolls::NewStub(Dial(address))), apps_(v2::DesiredLRPs::NewStub(Dial(address))) {}

  Answer Read() {
    v2::GetRollRequest request;
    request.set_process_guid("hello");
    v2::GetRollResponse response;
    return Call([&](grpc::ClientContext& context) { return rolls_->GetRoll(&context, request, &response); });
  }
  Answer Write() {
    v2::UpdateDesiredLRPRequest request;
    request.set_process_guid("hello");
    request.mutable_update()->set_annotation("write " + std::to_string(++writes_));
    v2::UpdateDesiredLRPResponse response;
    return Call([&](grpc::ClientContext& context) { return apps_->UpdateDesiredLRP(&context, request, &response); });
  }

 private:
  template <class Attempt>
  Answer Call(Attempt attempt) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    Answer answer{attempt(context)};
    answer.says_when = context.GetServerTrailingMetadata().contains(kRetryTrailer);
    return answer;
  }

  std::unique_ptr<v2::Rolls::Stub> rolls_;
  std::unique_ptr<v2::DesiredLRPs::Stub> apps_;
  int writes_ = 0;
};

TEST_F(RollingApp, OutlivesItsDatabase) {
  Caller caller(stack_.api_address());
  BeginUpdate();
  AwaitHandOvers(1);
  ASSERT_TRUE(caller.Read().status.ok());
  ASSERT_TRUE(caller.Write().status.ok());
  stack_.KillPostgres();
  int refused = 0;
  // Nothing else than "not now, ask again then" while it is away, and soon it is back.
  const bool back = stack::WaitFor(std::chrono::seconds(30), {}, [&] {
    bool all_ok = true;
    for (const Answer& answer : {caller.Read(), caller.Write()}) {
      if (answer.status.ok()) continue;
      all_ok = false;
      ++refused;
      EXPECT_EQ(answer.status.error_code(), grpc::StatusCode::UNAVAILABLE) << answer.status.error_message();
      EXPECT_TRUE(answer.says_when) << answer.status.error_message();
    }
    return refused > 0 && all_ok;
  });
  EXPECT_TRUE(back);
  EXPECT_GT(refused, 0);
  ExpectUnnoticed();
  // What the router had reported meanwhile was asked for again: no drain had to wait for its timeout.
  const v2::GetRollResponse update = stack_.api().GetRoll("hello");
  for (const v2::RollStep& step : update.steps()) EXPECT_LT(step.stop_ms(), stack::HelloApp().drain_timeout_ms);
}

}  // namespace
}  // namespace baton
