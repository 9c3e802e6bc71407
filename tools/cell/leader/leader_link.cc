#include "tools/cell/leader/leader_link.h"

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>

#include <deque>
#include <utility>

#include "baton/v2/cells_service.grpc.pb.h"
#include "baton/v2/definitions_service.grpc.pb.h"
#include "tools/client/channel.h"

namespace baton::cell {
namespace {

constexpr std::chrono::seconds kFetchTimeout{10};

std::string Describe(const grpc::Status& status) {
  if (status.ok()) return "the leader ended the stream";
  return "code " + std::to_string(status.error_code()) + ": " + status.error_message();
}

ErrorKind KindOf(const grpc::Status& status) {
  return status.error_code() == grpc::StatusCode::NOT_FOUND ? ErrorKind::kNotFound : ErrorKind::kUnavailable;
}

}  // namespace

// gRPC's callbacks come in its own threads: each only posts. All members belong to the loop's thread, but `incoming_`
// while a read, and the front of `queue_` while a write is under way.
class LeaderLink::Stream : public grpc::ClientBidiReactor<v2::CellMessage, v2::LeaderToCell>,
                           public std::enable_shared_from_this<Stream> {
 public:
  Stream(LeaderLink& link, std::shared_ptr<grpc::Channel> channel)
      : link_(link), loop_(link.loop_), stub_(v2::Cells::NewStub(channel)) {}

  void Start() {
    self_ = shared_from_this();
    stub_->async()->Connect(&context_, this);
    AddHold();  // writes start outside of callbacks; given back with the last read
    StartRead(&incoming_);
    StartCall();
  }

  void Send(v2::CellMessage message) {
    if (over_ || finishing_) return;
    queue_.push_back(std::move(message));
    WriteNext();
  }

  void Cancel() {
    silent_ = true;
    context_.TryCancel();
  }

  void Finish() {
    finishing_ = true;
    WriteNext();
  }

  void OnReadDone(bool ok) override {
    loop_.Post([self = shared_from_this(), ok] { self->ReadDone(ok); });
  }
  void OnWriteDone(bool ok) override {
    loop_.Post([self = shared_from_this(), ok] { self->WriteDone(ok); });
  }
  void OnDone(const grpc::Status& status) override {
    // The last line may destroy this object, in the other thread.
    shim::EventLoop& loop = loop_;
    const bool nobody = status.error_code() == grpc::StatusCode::UNAVAILABLE;
    const bool refused = status.error_code() == grpc::StatusCode::UNAUTHENTICATED;
    loop.Post([self = std::move(self_), why = Describe(status), nobody, refused, hints = HintsIn(context_)] {
      if (refused) self->link_.Forget(self.get());
      self->Done(why, nobody, hints);
    });
  }

 private:
  void ReadDone(bool ok) {
    if (!ok) {
      over_ = true;
      return RemoveHold();
    }
    if (!silent_ && std::exchange(first_, false)) link_.events_.data(DataIn(context_));
    if (!silent_) link_.events_.message(incoming_);
    incoming_.Clear();
    StartRead(&incoming_);
  }

  void WriteNext() {
    if (over_ || writing_) return;
    if (!queue_.empty()) {
      writing_ = true;
      StartWrite(&queue_.front());
    } else if (finishing_ && !finished_) {
      finished_ = true;
      StartWritesDone();
    }
  }

  void WriteDone(bool ok) {
    writing_ = false;
    queue_.pop_front();
    if (ok) WriteNext();  // if not, the stream is over, which the read will tell
  }

  void Done(const std::string& why, bool nobody, const Hints& hints) {
    if (!silent_) link_.Ended(this, why, nobody, hints);
    link_.OneLess();
  }

  LeaderLink& link_;
  shim::EventLoop& loop_;
  std::unique_ptr<v2::Cells::Stub> stub_;
  grpc::ClientContext context_;
  std::shared_ptr<Stream> self_;  // gRPC's hold on us
  v2::LeaderToCell incoming_;
  std::deque<v2::CellMessage> queue_;
  bool writing_ = false;
  bool finishing_ = false;
  bool finished_ = false;
  bool over_ = false;
  bool silent_ = false;
  bool first_ = true;
};

class LeaderLink::Call {
 public:
  explicit Call(std::shared_ptr<grpc::Channel> channel) : stub(v2::Definitions::NewStub(channel)) {
    context.set_deadline(std::chrono::system_clock::now() + kFetchTimeout);
  }
  std::unique_ptr<v2::Definitions::Stub> stub;
  grpc::ClientContext context;
  v2::GetDefinitionRequest request;
  v2::GetDefinitionResponse response;
};

LeaderLink::LeaderLink(shim::EventLoop& loop, ClientCredentials credentials, Events events)
    : loop_(loop), credentials_(std::move(credentials)), events_(std::move(events)) {}

LeaderLink::~LeaderLink() { CHECK(outstanding_ == 0); }

std::shared_ptr<grpc::Channel> LeaderLink::ChannelTo(const std::string& address) {
  std::shared_ptr<grpc::Channel>& channel = channels_[address];
  if (!channel) channel = Dial(address, credentials_);
  return channel;
}

void LeaderLink::Open(const std::string& address) {
  Close();
  address_ = address;
  stream_ = std::make_shared<Stream>(*this, ChannelTo(address));
  ++outstanding_;
  stream_->Start();
}

void LeaderLink::Send(v2::CellMessage message) {
  if (stream_) stream_->Send(std::move(message));
}

void LeaderLink::Close() {
  if (stream_) stream_->Cancel();
  stream_.reset();
}

void LeaderLink::Finish() {
  if (stream_) stream_->Finish();
}

// A connection keeps the certificate that it began with: one that is renewed is shown by the next connection alone.
void LeaderLink::Forget(const Stream* stream) {
  if (stream_.get() == stream) channels_.erase(address_);
}

void LeaderLink::Ended(const Stream* stream, const std::string& why, bool nobody, const Hints& hints) {
  if (stream_.get() != stream) return;
  stream_.reset();
  events_.closed(why, nobody, hints);
}

void LeaderLink::Fetch(const v2::GetDefinitionRequest& request, OnDefinition on_definition) {
  const auto call = std::make_shared<Call>(ChannelTo(address_));
  call->request = request;
  calls_[call.get()] = call;
  ++outstanding_;
  call->stub->async()->GetDefinition(
      &call->context, &call->request, &call->response,
      [this, call, on_definition = std::move(on_definition)](const grpc::Status& status) {
        loop_.Post([this, call, on_definition, status] {
          calls_.erase(call.get());
          if (!idle_) {
            if (status.ok()) {
              on_definition(std::move(*call->response.mutable_definition()->mutable_definition()));
            } else {
              on_definition(Error{KindOf(status), Describe(status), std::nullopt});
            }
          }
          OneLess();
        });
      });
}

void LeaderLink::Shutdown(std::function<void()> idle) {
  idle_ = std::move(idle);
  Close();
  for (const auto& [key, call] : calls_) call->context.TryCancel();
  if (outstanding_ == 0) idle_();
}

void LeaderLink::OneLess() {
  --outstanding_;
  if (outstanding_ == 0 && idle_) idle_();
}

}  // namespace baton::cell
