// A loop on a thread of its own: calls a function when its time has come, and at once when it is woken.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace baton {

// Its owner declares it last: the thread ends before any other member that it uses is destroyed.
class Ticker {
 public:
  using Wait = std::chrono::steady_clock::duration;
  // How long to wait for the next tick.
  using Tick = std::function<Wait()>;
  static constexpr Wait kUntilWoken = Wait::max();

  // `first`: how long to wait for the first tick. `last`: called on the thread when it was stopped, after all ticks;
  // may be null.
  Ticker(Wait first, Tick tick, std::function<void()> last = nullptr);
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;
  // Stops it, and never on its own thread.
  ~Ticker() = default;

  // A tick begins at once, or after the one that is under way, which may have looked before. From any thread, and
  // brief.
  void Wake();
  // In a tick: waits for so long, or until it is to stop, and says whether it is not.
  bool Rest(Wait wait);
  // Ends the thread after the tick that is under way; no other begins. Again does nothing; on the thread itself it does
  // not wait. Not from two threads at a time.
  void Stop();
  // From any thread. Whoever hands work to the ticks under a lock, looks at this under the same lock: `last`, under it
  // too, finds all that was handed over.
  bool stopping() const { return thread_.get_stop_token().stop_requested(); }

 private:
  void Run(const std::stop_token& stopped, Wait wait);

  const Tick tick_;
  const std::function<void()> last_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  bool woken_ = false;
  std::jthread thread_;  // the last: it uses the others
};

}  // namespace baton
