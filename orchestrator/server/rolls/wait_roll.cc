#include "orchestrator/server/rolls/wait_roll.h"

#include <memory>

#include "orchestrator/server/apps/reveal.h"
#include "orchestrator/server/callers/grant.h"
#include "orchestrator/server/calls/call_context.h"
#include "orchestrator/server/rolls/bell.h"
#include "orchestrator/server/rolls/roll_view.h"
#include "orchestrator/wire/limits/field_limits.h"

namespace baton {
namespace {

class WaitRoll final : public grpc::ServerUnaryReactor {
 public:
  WaitRoll(grpc::CallbackServerContext& context, Surroundings& s, const v2::WaitRollRequest& request,
           v2::WaitRollResponse& response)
      : context_(context), s_(s), grant_(Grant::Of(s, context)), shown_(ShownTo(s, context)), id_(request.roll_id()), revision_(request.revision()),
        until_over_(request.until_over()), response_(response), bell_(std::make_shared<Bell>([this] { Look(); })) {
    const Status valid = wire::CheckLimits(request);
    valid ? Look() : End(valid);
  }

  void OnCancel() override { bell_->Ring(); }
  void OnDone() override {
    bell_->Detach();
    delete this;
  }

 private:
  void Look() {
    s_.reads.Run([this](Result<Reader*> reader) {
      if (context_.IsCancelled()) return Finish(grpc::Status::CANCELLED);
      if (const Status allowed = s_.Admit(context_); !allowed) return End(allowed);
      if (!reader) return End(reader.error());
      // Whose it is, is asked once: the app may be removed meanwhile, and its roll ends all the same.
      auto found = subscribed_ ? (*reader)->ReadRoll(id_) : FindRoll(**reader, id_, {}, grant_);
      if (found && !subscribed_) {
        s_.hub.Add(found->guid, bell_);
        subscribed_ = true;
        found = (*reader)->ReadRoll(id_);  // what happened before the subscription would not have rung
      }
      if (!found) return End(found.error());
      if (!HasCome(found->roll)) return bell_->Wait();
      auto view = RollView(**reader, *found);
      if (!view) return End(view.error());
      *response_.mutable_roll() = *std::move(view);
      wire::Redact(response_, shown_);
      End(Done{});
    });
  }

  bool HasCome(const Roll& roll) const {
    if (!IsOpen(roll.state)) return true;
    return until_over_ ? roll.state == RollState::kHeld : roll.revision > revision_;
  }

  void End(const Status& status) { baton::Finish(context_, *this, status); }

  grpc::CallbackServerContext& context_;
  Surroundings& s_;
  const Grant grant_;
  const wire::Show shown_;
  const RollId id_;
  const std::int64_t revision_;
  const bool until_over_;
  v2::WaitRollResponse& response_;
  bool subscribed_ = false;
  std::shared_ptr<Bell> bell_;
};

}  // namespace

grpc::ServerUnaryReactor* NewWaitRoll(grpc::CallbackServerContext& context, Surroundings& s,
                                      const v2::WaitRollRequest& request, v2::WaitRollResponse& response) {
  return new WaitRoll(context, s, request, response);
}

}  // namespace baton
