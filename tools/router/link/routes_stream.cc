#include "tools/router/link/routes_stream.h"

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>

#include <condition_variable>
#include <deque>
#include <mutex>

#include "baton/v2/routes_service.grpc.pb.h"

namespace baton::router {

class RoutesStream::Reactor : public grpc::ClientBidiReactor<v2::RouteConsumerMessage, v2::RouteMessage> {
 public:
  Reactor(const std::shared_ptr<grpc::Channel>& channel, std::uint64_t number, Mailbox& mailbox)
      : stub_(v2::Routes::NewStub(channel)), number_(number), mailbox_(mailbox) {
    stub_->async()->Connect(&context_, this);
    // Writes are started from outside of the reactor's own reactions: gRPC must not finish between two of them.
    AddHold();
    StartRead(&incoming_);
    StartCall();
  }

  void Send(v2::RouteConsumerMessage message) {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    outgoing_.push_back(std::move(message));
    if (outgoing_.size() == 1) StartWrite(&outgoing_.front());
  }

  void Finish() {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    finishing_ = true;
    if (outgoing_.empty()) Close(true);
  }

  void CancelAndWait() {
    context_.TryCancel();
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [&] { return done_; });
  }

  void Cancel() { context_.TryCancel(); }

 private:
  void OnReadDone(bool ok) override {
    if (!ok) {
      const std::lock_guard lock(mutex_);
      if (!closed_) Close(false);
      return;
    }
    mailbox_.Post(StreamSaid{number_, std::move(incoming_), std::exchange(first_, false) ? DataIn(context_) : ""});
    incoming_.Clear();
    StartRead(&incoming_);
  }

  void OnWriteDone(bool ok) override {
    const std::lock_guard lock(mutex_);
    outgoing_.pop_front();
    if (closed_) return;
    if (!ok) return Close(false);
    if (!outgoing_.empty()) return StartWrite(&outgoing_.front());
    if (finishing_) Close(true);
  }

  void OnDone(const grpc::Status& status) override {
    mailbox_.Post(StreamEnded{number_, status.error_code(), status.error_message(), HintsIn(context_)});
    const std::lock_guard lock(mutex_);
    done_ = true;
    ended_.notify_all();
  }

  // Under the mutex, once.
  void Close(bool half_close) {
    closed_ = true;
    if (half_close) StartWritesDone();
    RemoveHold();
  }

  std::unique_ptr<v2::Routes::Stub> stub_;
  grpc::ClientContext context_;
  std::uint64_t number_;
  Mailbox& mailbox_;
  v2::RouteMessage incoming_;

  std::mutex mutex_;
  std::condition_variable ended_;
  std::deque<v2::RouteConsumerMessage> outgoing_;
  bool finishing_ = false;
  bool closed_ = false;
  bool first_ = true;  // of gRPC's thread
  bool done_ = false;
};

RoutesStream::RoutesStream(const std::shared_ptr<grpc::Channel>& channel, std::uint64_t number, Mailbox& mailbox)
    : number_(number), reactor_(std::make_unique<Reactor>(channel, number, mailbox)) {}

RoutesStream::~RoutesStream() { reactor_->CancelAndWait(); }

void RoutesStream::Send(v2::RouteConsumerMessage message) { reactor_->Send(std::move(message)); }
void RoutesStream::Finish() { reactor_->Finish(); }
void RoutesStream::Cancel() { reactor_->Cancel(); }

}  // namespace baton::router
