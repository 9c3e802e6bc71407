// Calls at an even pace, however long each of them takes (an open loop): a call is late from when it was due, so that a
// stall counts for each call that falls into it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace baton::bench {

class PacedCalls {
 public:
  using Clock = std::chrono::system_clock;  // the database's: what it says happened when can be looked up here
  // To be called once for each call, from any thread: nothing: it was taken; else when it is worth asking again.
  using Done = std::function<void(std::optional<std::chrono::milliseconds> again)>;
  using Start = std::function<void(int number, Done)>;

  PacedCalls(std::chrono::microseconds pace, Start start);
  ~PacedCalls();
  // Begins no other call; returns when all have been taken.
  void Stop();

  struct Figures {
    int calls = 0;  // due in the time
    int asked_again = 0;
    double p50_ms = 0;
    double p99_ms = 0;
    double most_ms = 0;
    double gap_ms = 0;  // the longest time without an answer, from the first to the last
  };
  // Of calls that were due then. Calls that were not taken yet are left out.
  Figures Of(Clock::time_point from, Clock::time_point to);

 private:
  struct Call {
    Clock::time_point due;
    std::optional<Clock::time_point> taken;
    int asked = 0;
  };
  void Run();
  void Answered(int number, std::optional<std::chrono::milliseconds> again);

  const std::chrono::microseconds pace_;
  const Start start_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Call> calls_;
  std::multimap<Clock::time_point, int> again_;
  int under_way_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace baton::bench
