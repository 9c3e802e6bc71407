#include "sql/worker.h"

namespace baton {

SessionWorker::SessionWorker(std::string url, const Cipher& cipher)
    : url_(std::move(url)), cipher_(cipher), thread_([this] { Work(); }) {}

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
  {
    const std::lock_guard lock(mutex_);
    if (!stopping_) {
      queue_.push_back(std::move(work));
      ++load_;
      return wake_.notify_one();
    }
  }
  work(Error{ErrorKind::kUnavailable, "this batond is stopping", seconds(1)});
}

void SessionWorker::Work() {
  std::unique_ptr<Session> session;
  for (;;) {
    std::function<void(Result<Session*>)> work;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;
      work = std::move(queue_.front());
      queue_.pop_front();
    }
    if (!session || session->broken()) {
      auto opened = Session::Open(url_, cipher_);
      if (!opened) {
        session.reset();
        work(opened.error());
        --load_;
        continue;
      }
      session = *std::move(opened);
    }
    work(Result<Session*>(session.get()));
    --load_;
  }
}

}  // namespace baton
