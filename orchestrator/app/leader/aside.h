// Runs a call that may block aside, on a thread of its own, so that whoever asked can go on when its time is over: a
// connection whose packets are dropped answers nobody for as long as TCP is patient.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace baton {

// For one asking thread.
class Aside {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Aside();
  // Waits for the call that is under way.
  ~Aside();

  // What the call gives, where it is over by `until`. Nothing: it is not, or an earlier one still is not; what it gives
  // is dropped then.
  template <class T>
  std::optional<T> Run(Time until, std::function<T()> call) {
    const auto task = std::make_shared<std::packaged_task<T()>>(std::move(call));
    std::future<T> result = task->get_future();
    if (!Start([task] { (*task)(); }) || result.wait_until(until) != std::future_status::ready) return std::nullopt;
    AwaitIdle();
    return result.get();
  }

 private:
  // False: one is under way.
  bool Start(std::function<void()> call);
  void AwaitIdle();  // of a thread that has given its answer: it takes the next call
  void Work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::function<void()> call_;  // empty: nothing is under way
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace baton
