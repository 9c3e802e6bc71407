// The sending side of a bidirectional stream: any thread may give it messages, it writes them one after the other.
//
// gRPC wants one write at a time, no call of the stream under a lock of ours (a reaction may come on the same thread),
// and nothing at all after Finish. So: a write that is under way puts off Finish, and Finish is called exactly once.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace baton {

template <class In, class Out>
class Pipe {
 public:
  using Reactor = grpc::ServerBidiReactor<In, Out>;
  explicit Pipe(Reactor& reactor) : reactor_(&reactor) {}

  // Does nothing after the end.
  void Send(Out message) {
    const Out* next = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (end_) return;
      queue_.push_back(std::move(message));
      if (writing_) return;
      writing_ = true;
      next = &queue_.front();
    }
    reactor_->StartWrite(next);
  }

  // What is queued is dropped: the other side gets everything anew on its next stream.
  void End(const grpc::Status& status) {
    {
      const std::lock_guard lock(mutex_);
      if (end_) return;
      end_ = status;
      if (writing_) return;
    }
    reactor_->Finish(status);
  }

  // The reactor's OnWriteDone.
  void Written(bool ok) {
    const Out* next = nullptr;
    {
      const std::lock_guard lock(mutex_);
      queue_.pop_front();
      if (!ok && !end_) end_ = grpc::Status::OK;
      if (!end_ && queue_.empty()) {
        writing_ = false;
        return;
      }
      if (!end_) next = &queue_.front();
    }
    next ? reactor_->StartWrite(next) : reactor_->Finish(*end_);
  }

 private:
  Reactor* reactor_;
  std::mutex mutex_;
  std::deque<Out> queue_;  // the first is the one that is being written; a deque never moves its elements
  bool writing_ = false;
  std::optional<grpc::Status> end_;  // never changed once it is set
};

}  // namespace baton
