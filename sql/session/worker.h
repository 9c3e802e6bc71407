// A thread with a database connection, which runs posted tasks in order.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "orchestrator/base/result.h"
#include "sql/session/session.h"

namespace baton {

// RESOURCE_EXHAUSTED, with a retry hint.
Error TooMuchWaits(std::size_t most);

class SessionWorker {
 public:
  static constexpr std::size_t kQueueMax = 10000;  // more is refused with RESOURCE_EXHAUSTED
  SessionWorker(std::string url, const Cipher& cipher, std::size_t queue_max = kQueueMax);
  ~SessionWorker();
  // With an error where the database is away or too much waits for it already, or after Stop: then on this thread.
  void Run(std::function<void(Result<Session*>)> work);
  // How much it has to do: queued and under way.
  std::size_t load() const { return load_; }
  // Ends after what is queued. Once is enough; nothing runs on the thread afterwards.
  void Stop();

 private:
  void Work();

  std::string url_;
  const Cipher& cipher_;
  const std::size_t queue_max_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void(Result<Session*>)>> queue_;
  bool stopping_ = false;
  std::atomic<std::size_t> load_{0};
  std::thread thread_;
};

}  // namespace baton
