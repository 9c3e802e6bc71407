#include "orchestrator/server/rolls/watch_roll.h"

#include "orchestrator/server/apps/reveal.h"
#include "orchestrator/server/callers/grant.h"
#include "orchestrator/server/calls/call_context.h"
#include "orchestrator/server/rolls/bell.h"
#include "orchestrator/server/rolls/roll_view.h"
#include "orchestrator/wire/limits/field_limits.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {
namespace {

constexpr int kStepsMost = 1000;

class WatchRoll final : public grpc::ServerWriteReactor<v2::WatchRollResponse> {
 public:
  WatchRoll(grpc::CallbackServerContext& context, Surroundings& s, const v2::WatchRollRequest& request)
      : context_(context), s_(s), grant_(Grant::Of(s, context)), shown_(ShownTo(s, context)), roll_id_(request.roll_id()), guid_(request.process_guid()),
        after_(request.after_sequence()), bell_(std::make_shared<Bell>([this] { Look(); })) {
    const Status valid = wire::CheckLimits(request);
    valid ? Look() : End(valid);
  }

  void OnWriteDone(bool ok) override {
    if (!ok || finished_) return End(Done{});
    bell_->Wait();
  }
  void OnCancel() override { bell_->Ring(); }
  void OnDone() override {
    bell_->Detach();
    delete this;
  }

 private:
  void Look() {
    s_.reads.Run([this](Result<Reader*> reader) {
      if (context_.IsCancelled()) return End(Done{});
      if (const Status allowed = s_.Admit(context_); !allowed) return End(allowed);
      if (!reader) return End(reader.error());
      const Status status = Read(**reader);
      wire::Redact(message_, shown_);
      status ? StartWrite(&message_) : End(status);
    });
  }

  Status Read(Reader& reader) {
    auto found = subscribed_ ? reader.ReadRoll(roll_id_) : FindRoll(reader, roll_id_, guid_, grant_);
    if (!found) return found.error();
    if (roll_id_.empty() || !subscribed_) {
      roll_id_ = found->roll.id;  // this one from now on, whatever comes after it
      guid_ = found->guid;
      s_.hub.Add(guid_, bell_);
      subscribed_ = true;
      found = reader.ReadRoll(roll_id_);  // what happened before the subscription would not have rung
      if (!found) return found.error();
    }
    message_.Clear();
    const auto steps = reader.ReadSteps(roll_id_, after_, kStepsMost);
    if (!steps) return steps.error();
    for (const RollStep& step : *steps) *message_.add_steps() = wire::ToMessage(step);
    if (!steps->empty()) after_ = steps->back().sequence;
    const auto app = reader.ReadApp(guid_);
    if (app && app->app.roll && app->app.roll->id == roll_id_) {
      *message_.mutable_roll() = OpenRollView(*app);
    } else {
      *message_.mutable_roll() = wire::ToMessage(guid_, found->roll);
    }
    finished_ = !IsOpen(found->roll.state) && steps->size() < kStepsMost;
    if (steps->size() == kStepsMost) bell_->Ring();  // there are more
    return Done{};
  }

  void End(const Status& status) {
    if (status) return Finish(grpc::Status::OK);
    AddHints(context_, status.error());
    Finish(ToGrpc(status.error()));
  }

  grpc::CallbackServerContext& context_;
  Surroundings& s_;
  const Grant grant_;
  const wire::Show shown_;
  RollId roll_id_;
  ProcessGuid guid_;
  std::int64_t after_;
  bool subscribed_ = false;
  bool finished_ = false;
  v2::WatchRollResponse message_;
  std::shared_ptr<Bell> bell_;
};

}  // namespace

grpc::ServerWriteReactor<v2::WatchRollResponse>* NewWatchRoll(grpc::CallbackServerContext& context, Surroundings& s,
                                                              const v2::WatchRollRequest& request) {
  return new WatchRoll(context, s, request);
}

}  // namespace baton
