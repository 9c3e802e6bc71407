#include "tools/web/calls/message_call.h"

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/impl/codegen/proto_utils.h>

#include <atomic>

#include "orchestrator/base/check.h"

namespace baton::web {
namespace {

using google::protobuf::Message;
using Stub = grpc::TemplatedGenericStub<Message, Message>;

void Prepare(const Question& question, grpc::ClientContext& context) {
  for (const auto& [key, value] : question.metadata) context.AddMetadata(key, value);
  if (question.until == std::chrono::steady_clock::time_point::max()) return;
  context.set_deadline(std::chrono::system_clock::now() + (question.until - std::chrono::steady_clock::now()));
}

// Who listens: gone once the call was let go of. Looked at on the loop only.
struct Listener {
  OnMessage message;
  OnEnd end;
};

class UnaryCall final : public MessageCall {
 public:
  UnaryCall(const Loop& loop, const std::shared_ptr<grpc::Channel>& channel, const Question& question,
            OnMessage message, OnEnd end)
      : state_(std::make_shared<State>()),
        listener_(std::make_shared<Listener>(Listener{std::move(message), std::move(end)})) {
    state_->request = question.request;
    state_->answer.reset(question.answer->New());
    Prepare(question, state_->context);
    loop.in_flight->Begin(state_.get(), [state = state_] { state->context.TryCancel(); });
    Stub(channel).UnaryCall(&state_->context, question.path, {}, state_->request.get(), state_->answer.get(),
                            [loop, state = state_, weak = std::weak_ptr(listener_)](const grpc::Status& status) {
                              boost::asio::post(loop.loop, [state, weak, status] { Tell(*state, weak, status); });
                              loop.in_flight->End(state.get());
                            });
  }
  ~UnaryCall() override { state_->context.TryCancel(); }
  void Next() override {}

 private:
  struct State {  // what gRPC looks at until the call has ended
    grpc::ClientContext context;
    MessagePtr request;
    MessagePtr answer;
  };

  static void Tell(State& state, const std::weak_ptr<Listener>& weak, const grpc::Status& status) {
    const auto listener = weak.lock();
    if (!listener) return;
    if (status.ok()) listener->message(state.answer);
    if (!weak.expired()) listener->end({status, HintsIn(state.context)});
  }

  std::shared_ptr<State> state_;
  std::shared_ptr<Listener> listener_;
};

// gRPC's side of a stream. It keeps itself until gRPC has told its end.
class Reactor final : public grpc::ClientBidiReactor<Message, Message>, public std::enable_shared_from_this<Reactor> {
 public:
  Reactor(const Loop& loop, const Question& question, const std::shared_ptr<Listener>& listener)
      : loop_(loop), request_(question.request), kind_(question.answer), listener_(listener) {
    Prepare(question, context_);
  }

  void Go(const std::shared_ptr<grpc::Channel>& channel, const std::string& path) {
    self_ = shared_from_this();
    loop_.in_flight->Begin(this, [self = self_] { self->Cancel(); });
    Stub(channel).PrepareBidiStreamingCall(&context_, path, {}, this);
    AddHold();  // Next may come from the loop at any time
    StartWriteLast(request_.get(), {});
    Read();
    StartCall();
  }
  void Next() {
    if (!let_go_) Read();
  }
  void Cancel() {
    context_.TryCancel();
    LetGo();
  }

 private:
  void Read() {
    answer_.reset(kind_->New());
    StartRead(answer_.get());
  }
  // From then on no read begins.
  void LetGo() {
    if (!let_go_.exchange(true)) RemoveHold();
  }
  void OnReadDone(bool ok) override {
    if (!ok) return LetGo();  // nobody says Next without a message
    boost::asio::post(loop_.loop, [self = shared_from_this(), answer = answer_] {
      if (const auto listener = self->listener_.lock()) listener->message(answer);
    });
  }
  void OnDone(const grpc::Status& status) override {
    const Loop loop = loop_;
    boost::asio::post(loop.loop, [self = std::move(self_), status] {
      if (const auto listener = self->listener_.lock()) listener->end({status, HintsIn(self->context_)});
    });
    loop.in_flight->End(this);
  }

  const Loop loop_;
  grpc::ClientContext context_;
  MessagePtr request_;
  const Message* kind_;
  std::weak_ptr<Listener> listener_;
  MessagePtr answer_;
  std::atomic<bool> let_go_ = false;
  std::shared_ptr<Reactor> self_;
};

class StreamCall final : public MessageCall {
 public:
  StreamCall(const Loop& loop, const std::shared_ptr<grpc::Channel>& channel, const Question& question,
             OnMessage message, OnEnd end)
      : listener_(std::make_shared<Listener>(Listener{std::move(message), std::move(end)})),
        reactor_(std::make_shared<Reactor>(loop, question, listener_)) {
    reactor_->Go(channel, question.path);
  }
  ~StreamCall() override { reactor_->Cancel(); }
  void Next() override { reactor_->Next(); }

 private:
  std::shared_ptr<Listener> listener_;
  std::shared_ptr<Reactor> reactor_;
};

}  // namespace

std::unique_ptr<MessageCall> Begin(const Loop& loop, const std::shared_ptr<grpc::Channel>& channel,
                                   const Question& question, bool streams, OnMessage message, OnEnd end) {
  CHECK(question.request && question.answer);
  if (streams) return std::make_unique<StreamCall>(loop, channel, question, std::move(message), std::move(end));
  return std::make_unique<UnaryCall>(loop, channel, question, std::move(message), std::move(end));
}

}  // namespace baton::web
