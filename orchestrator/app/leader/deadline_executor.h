// Runs a call that may block aside, on a thread of its own, so that whoever asked can go on when its time is over: a
// connection whose packets are dropped answers nobody for as long as TCP is patient.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <optional>

#include "orchestrator/base/ticker.h"

namespace baton {

// For one asking thread. Its end waits for the call that it was given.
class DeadlineExecutor {
 public:
  using Time = std::chrono::steady_clock::time_point;

  DeadlineExecutor();

  // What the call gives, where it is over by `until`. Nothing: it is not, or an earlier one still is not; what it gives
  // is dropped then.
  template <class T>
  std::optional<T> Run(Time until, std::function<T()> call) {
    if (busy_) return std::nullopt;
    const auto answer = std::make_shared<std::promise<T>>();
    std::future<T> result = answer->get_future();
    call_ = [this, answer, call = std::move(call)] {
      std::optional<T> given;
      std::exception_ptr thrown;
      try {
        given = call();
      } catch (const std::exception&) {
        thrown = std::current_exception();  // the caller's, where it still waits
      }
      busy_ = false;  // first: who has the answer may have the next call
      thrown ? answer->set_exception(thrown) : answer->set_value(*std::move(given));
    };
    busy_ = true;
    ticker_.Wake();
    if (result.wait_until(until) != std::future_status::ready) return std::nullopt;
    return result.get();
  }

 private:
  Ticker::Wait Work();

  std::function<void()> call_;  // of the asking thread, but while the other is busy; empty: it is taken
  std::atomic<bool> busy_ = false;
  Ticker ticker_;
};

}  // namespace baton
