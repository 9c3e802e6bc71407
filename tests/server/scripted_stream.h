// One end of a stream that a test plays: what it hears is kept, and its heart beats when it is told to.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/sync_stream.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace baton {

template <class Out, class In>
class ScriptedStream {
 public:
  void Send(const Out& message) {
    const std::lock_guard lock(sending_);
    (void)stream_->Write(message);
  }

 protected:
  static constexpr std::chrono::seconds kPatience{20};

  ~ScriptedStream() {
    context_.TryCancel();
    if (listener_.joinable()) listener_.join();
    if (heart_.joinable()) heart_.join();
  }

  // Opened with context_.
  void Open(std::unique_ptr<grpc::ClientReaderWriter<Out, In>> stream) {
    stream_ = std::move(stream);
    listener_ = std::thread([this] { Listen(); });
  }

  // From here on until it ends or falls silent.
  void Beat(const Out& beat) {
    heart_ = std::thread([this, beat] {
      std::unique_lock lock(mutex_);
      while (!changed_.wait_for(lock, std::chrono::milliseconds(50), [this] { return ended_ || silent_; })) {
        lock.unlock();
        Send(beat);
        lock.lock();
      }
    });
  }
  // No word any more; the stream stays.
  void StopBeating() {
    {
      const std::lock_guard lock(mutex_);
      silent_ = true;
      changed_.notify_all();
    }
    heart_.join();
  }

  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<Out, In>> stream_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::vector<In> heard_;
  bool silent_ = false;
  bool ended_ = false;
  grpc::Status end_;
  std::mutex sending_;

 private:
  void Listen() {
    for (In message; stream_->Read(&message);) {
      const std::lock_guard lock(mutex_);
      heard_.push_back(message);
      changed_.notify_all();
    }
    const grpc::Status status = stream_->Finish();
    const std::lock_guard lock(mutex_);
    end_ = status;
    ended_ = true;
    changed_.notify_all();
  }

  std::thread listener_;
  std::thread heart_;
};

}  // namespace baton
