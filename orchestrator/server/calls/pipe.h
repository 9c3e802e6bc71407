// The sending side of a bidirectional stream: any thread may give it messages, it writes them one after the other.
//
// gRPC wants one write at a time, no call of the stream under a lock of ours (a reaction may come on the same thread),
// and nothing at all after Finish. So: a write that is under way puts off Finish, and Finish is called exactly once.
// What waits to be written is bounded: beyond kQueuedMax the stream ends, and what is queued is let go of.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "orchestrator/base/result.h"
#include "orchestrator/server/calls/call_context.h"

namespace baton {

// Each end by an error says when to come back: who hears nothing of it takes a leader that lives for silent.
inline constexpr Duration kStreamRetryAfter = milliseconds(250);

template <class In, class Out>
class Pipe {
 public:
  using Reactor = grpc::ServerBidiReactor<In, Out>;
  static constexpr std::size_t kQueuedMax = 16 << 20;  // bytes, beside the message that is being written
  Pipe(Reactor& reactor, grpc::CallbackServerContext& context) : reactor_(&reactor), context_(context) {}

  // Does nothing after the end.
  void Send(Out message) {
    const Out* next = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (end_) return;
      if (writing_) {
        queued_ += message.ByteSizeLong();
        if (queued_ > kQueuedMax) return Close(TooSlow());
      }
      queue_.push_back(std::move(message));
      if (writing_) return;
      writing_ = true;
      next = &queue_.front();
    }
    reactor_->StartWrite(next);
  }

  // Drops the queue: the other side gets a full snapshot on its next stream.
  // `code`: instead of that of the error.
  void End(const Status& status, std::optional<grpc::StatusCode> code = std::nullopt) {
    {
      const std::lock_guard lock(mutex_);
      if (end_) return;
      code_ = code;
      Close(status);
      if (writing_) return;
    }
    Finish();
  }

  // The reactor's OnWriteDone.
  void Written(bool ok) {
    const Out* next = nullptr;
    {
      const std::lock_guard lock(mutex_);
      queue_.pop_front();
      if (!ok && !end_) end_ = Done{};
      if (!end_ && queue_.empty()) {
        writing_ = false;
        return;
      }
      if (!end_) {
        next = &queue_.front();
        queued_ -= std::min(queued_, next->ByteSizeLong());
      }
    }
    next ? reactor_->StartWrite(next) : Finish();
  }

 private:
  static Error TooSlow() {
    return {ErrorKind::kResourceExhausted,
            "this stream is read more slowly than messages come: " + std::to_string(kQueuedMax >> 20) + " MiB wait",
            kStreamRetryAfter};
  }
  // Under the mutex. The message that is being written stays until it is.
  void Close(const Status& status) {
    end_ = status;
    while (queue_.size() > 1) queue_.pop_back();
  }
  // Called once; end_ is not written after that.
  void Finish() {
    if (*end_) return reactor_->Finish(grpc::Status::OK);
    Error error = end_->error();
    if (!error.retry_after) error.retry_after = kStreamRetryAfter;
    AddHints(context_, error);
    const grpc::Status answer = ToGrpc(error);
    reactor_->Finish({code_.value_or(answer.error_code()), answer.error_message()});
  }

  Reactor* reactor_;
  grpc::CallbackServerContext& context_;
  std::mutex mutex_;
  std::deque<Out> queue_;  // the first is the one that is being written; a deque never moves its elements
  std::size_t queued_ = 0;  // bytes behind the first
  bool writing_ = false;
  std::optional<grpc::StatusCode> code_;
  std::optional<Status> end_;  // never changed once it is set
};

}  // namespace baton
