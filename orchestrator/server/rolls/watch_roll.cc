#include "orchestrator/server/rolls/watch_roll.h"

#include "orchestrator/server/rolls/roll_call.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {
namespace {

constexpr int kStepsAtOnce = 1000;

class WatchRoll final : public RollCall<grpc::ServerWriteReactor<v2::WatchRollResponse>> {
 public:
  WatchRoll(grpc::CallbackServerContext& context, ServerDependencies& s, const v2::WatchRollRequest& request)
      : RollCall(context, s, RollId(request.roll_id()), ProcessGuid(request.process_guid()), grpc::Status::OK),
        after_(request.after_sequence()) {
    Begin(request);
  }

  void OnWriteDone(bool ok) override { !ok || finished_ ? End(Done{}) : Wait(); }

 private:
  Status Answer(Reader& reader, const RollRead& found) override {
    message_.Clear();
    const auto steps = reader.ReadSteps(found.roll.id, after_, kStepsAtOnce);
    if (!steps) return steps.error();
    for (const RollStep& step : *steps) *message_.add_steps() = wire::ToMessage(step);
    if (!steps->empty()) after_ = steps->back().sequence;
    const auto app = reader.ReadApp(found.guid);
    if (app && app->app.roll && app->app.roll->id == found.roll.id) {
      *message_.mutable_roll() = OpenRollView(*app);
    } else {
      *message_.mutable_roll() = wire::ToMessage(found.guid, found.roll);
    }
    finished_ = !IsOpen(found.roll.state) && steps->size() < kStepsAtOnce;
    if (steps->size() == kStepsAtOnce) Again();  // there are more
    wire::Redact(message_, shown_);
    StartWrite(&message_);
    return Done{};
  }

  std::int64_t after_;
  bool finished_ = false;
  v2::WatchRollResponse message_;
};

}  // namespace

grpc::ServerWriteReactor<v2::WatchRollResponse>* NewWatchRoll(grpc::CallbackServerContext& context,
                                                              ServerDependencies& s,
                                                              const v2::WatchRollRequest& request) {
  return new WatchRoll(context, s, request);
}

}  // namespace baton
