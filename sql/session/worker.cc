#include "sql/session/worker.h"

#include "sql/session/kept_session.h"

namespace baton {

Error TooMuchWaits(std::size_t most) {
  return {ErrorKind::kResourceExhausted, std::to_string(most) + " wait for the database already", seconds(1)};
}

SessionWorker::SessionWorker(std::string url, const Cipher& cipher, std::size_t queue_max)
    : url_(std::move(url)), cipher_(cipher), queue_max_(queue_max), thread_([this] { Work(); }) {}

SessionWorker::~SessionWorker() { Stop(); }

void SessionWorker::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    wake_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void SessionWorker::Run(std::function<void(Result<Session*>)> work) {
  Error refused{ErrorKind::kUnavailable, "this batond is stopping", seconds(1)};
  {
    const std::lock_guard lock(mutex_);
    if (!stopping_ && queue_.size() < queue_max_) {
      queue_.push_back(std::move(work));
      ++load_;
      return wake_.notify_one();
    }
    if (!stopping_) refused = TooMuchWaits(queue_max_);
  }
  work(refused);
}

void SessionWorker::Work() {
  KeptSession session(url_, cipher_, Session::Plans::kPoints);
  for (;;) {
    std::function<void(Result<Session*>)> work;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;
      work = std::move(queue_.front());
      queue_.pop_front();
    }
    work(session.Get());
    --load_;
  }
}

}  // namespace baton
