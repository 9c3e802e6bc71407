// The stream of a cell or of a router: its first message says who it is, each is taken in turn, and the first that is
// refused ends it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "orchestrator/server/callers/caller.h"
#include "orchestrator/server/calls/pipe.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

// `Link`: what the leader sends by; made of the stream's pipe.
template <class In, class Out, class Link, class Id>
class PeerStream : public grpc::ServerBidiReactor<In, Out> {
 public:
  void OnReadDone(bool ok) final {
    if (!ok) return pipe_->End(Done{});
    if (const Status taken = TakeInOrder(); !taken) {
      LogRefusal(taken.error().message);
      return pipe_->End(taken, denied_);
    }
    this->StartRead(&message_);
  }
  void OnWriteDone(bool ok) final { pipe_->Written(ok); }
  void OnCancel() final { pipe_->End(Done{}); }
  void OnDone() final {
    if (!id_.empty()) Leave();
    delete this;
  }

 protected:
  // Nothing is read before gRPC has the whole reactor.
  PeerStream(ServerDependencies& s, Role role, std::string_view trust_domain, grpc::CallbackServerContext& context)
      : s_(s), context_(context), role_(role), trust_domain_(trust_domain),
        pipe_(std::make_shared<Pipe<In, Out>>(*this, context)), link_(std::make_shared<Link>(pipe_)) {
    if (const Status allowed = s_.Admit(context); !allowed) {
      pipe_->End(allowed);
    } else {
      this->StartRead(&message_);
    }
  }

  // The message; of a hello, which sets id_, the first.
  virtual Status Take() = 0;
  virtual void LogRefusal(const std::string& error) = 0;
  // The stream is over, and the hello was taken.
  virtual void Leave() = 0;

  static Error Invalid(std::string message) { return {ErrorKind::kInvalidArgument, std::move(message), {}}; }

  // A refusal that ends the stream with `code`.
  Error Deny(grpc::StatusCode code, std::string message) {
    denied_ = code;
    return {ErrorKind::kFailedPrecondition, std::move(message), {}};
  }

  // Whether its certificate lets it be `name`.
  Status CheckOwn(const std::string& name) {
    const grpc::Status own = CheckOwnName(context_, trust_domain_, role_, name);
    if (!own.ok()) return Deny(own.error_code(), own.error_message());
    return Done{};
  }

  ServerDependencies& s_;
  grpc::CallbackServerContext& context_;
  Id id_;
  In message_;

 private:
  Status TakeInOrder() {
    if (id_.empty() != (message_.message_case() == In::kHello)) {
      return Invalid("the first message must be a hello, and none later");
    }
    if (message_.message_case() == In::MESSAGE_NOT_SET) return Invalid("the message is empty");
    return Take();
  }

  const Role role_;
  const std::string_view trust_domain_;  // of the service
  std::optional<grpc::StatusCode> denied_;
  std::shared_ptr<Pipe<In, Out>> pipe_;

 protected:
  std::shared_ptr<Link> link_;
};

}  // namespace baton
