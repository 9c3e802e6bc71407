// A call about one roll: it looks at the roll, and again after each change of its app, until it has its answer.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <memory>
#include <utility>

#include "orchestrator/server/apps/reveal.h"
#include "orchestrator/server/callers/grant.h"
#include "orchestrator/server/calls/call_context.h"
#include "orchestrator/server/rolls/notifier.h"
#include "orchestrator/server/rolls/roll_view.h"
#include "orchestrator/server/serving/server_dependencies.h"
#include "orchestrator/wire/limits/field_limits.h"

namespace baton {

// `Reactor`: gRPC's, of the call's form.
template <class Reactor>
class RollCall : public Reactor {
 public:
  void OnCancel() final { notifier_->Signal(); }
  void OnDone() final {
    notifier_->Detach();
    delete this;
  }

 protected:
  // `guid`: whose roll, where `id` is empty. `cancelled`: what a call ends with that its caller has given up.
  RollCall(grpc::CallbackServerContext& context, ServerDependencies& s, RollId id, ProcessGuid guid,
           grpc::Status cancelled)
      : s_(s), shown_(ShownTo(s, context)), context_(context), grant_(Grant::Of(s, context)), id_(std::move(id)),
        guid_(std::move(guid)), cancelled_(std::move(cancelled)),
        notifier_(std::make_shared<Notifier>([this] { Look(); })) {}

  template <class Request>
  void Begin(const Request& request) {
    const Status valid = wire::CheckLimits(request);
    valid ? Look() : End(valid);
  }

  // What comes of the roll as it is now: an answer, or Wait.
  virtual Status Answer(Reader& reader, const RollRead& found) = 0;

  void Wait() { notifier_->Wait(); }
  // The next look is due already.
  void Again() { notifier_->Signal(); }

  void End(const Status& status) {
    if (status) return this->Finish(grpc::Status::OK);
    AddHints(context_, status.error());
    this->Finish(ToGrpc(status.error()));
  }

  ServerDependencies& s_;
  const wire::Show shown_;

 private:
  void Look() {
    s_.reads.Run([this](Result<Reader*> reader) {
      if (context_.IsCancelled()) return this->Finish(cancelled_);
      if (const Status allowed = s_.Admit(context_); !allowed) return End(allowed);
      if (!reader) return End(reader.error());
      const auto found = Find(**reader);
      if (!found) return End(found.error());
      if (const Status status = Answer(**reader, *found); !status) End(status);
    });
  }

  // Whose it is, is asked once: the app may be removed meanwhile, and its roll ends all the same.
  Result<RollRead> Find(Reader& reader) {
    if (!subscribed_) {
      const auto found = FindRoll(reader, id_, guid_, grant_);
      if (!found) return found.error();
      id_ = found->roll.id;  // this one from now on, whatever comes after it
      s_.hub.Add(found->guid, notifier_);
      subscribed_ = true;
    }
    return reader.ReadRoll(id_);  // after the subscription: what happened before would not have rung
  }

  grpc::CallbackServerContext& context_;
  const Grant grant_;
  RollId id_;
  const ProcessGuid guid_;
  const grpc::Status cancelled_;
  bool subscribed_ = false;
  std::shared_ptr<Notifier> notifier_;
};

}  // namespace baton
