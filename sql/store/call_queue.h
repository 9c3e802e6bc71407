// Calls that wait for a writer. What drives rolls goes first; callers' writes are taken by turns of their apps, so that
// an app that is written all the time holds up nobody but itself. Bounded by number and by time. Knows no clock, asks
// no database. Several writers take from it, an app's calls never two of them at a time; whoever uses it holds a lock.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "orchestrator/ports/store.h"

namespace baton {

class CallQueue {
 public:
  using Clock = std::chrono::steady_clock;

  struct Limits {
    std::size_t writers = 1;
    std::size_t batch = 256;            // calls that are taken at once
    std::size_t callers_min = 64;       // of them, for callers, however many calls drive rolls
    // Of them, of one app and urgency. An app that had as many and has more sits the next batch out where others wait:
    // theirs is a short one, then.
    std::size_t app_in_batch = 16;
    std::size_t waiting = 10000;        // of each urgency
    std::size_t waiting_of_app = 1000;  // callers' calls of one app
    Duration wait = seconds(5);         // of a caller's call, as far as can be told
  };
  explicit CallQueue(Limits limits) : limits_(limits), writers_(limits.writers) {}

  enum class Why { kFull, kFullOfApp, kSlow, kDeadline };
  struct Refusal {
    Why why;
    Duration again;  // when it is worth asking: the longer the wait, and not all that are refused together at once
  };
  // Takes `call`, or leaves it as it is and says why. What drives rolls is refused by its own number alone: never
  // because of callers, and never because PostgreSQL is slow.
  std::optional<Refusal> Put(std::unique_ptr<AppCommand>& call, Clock::time_point now);
  // First of all again, in their order, while their batch is under way: calls that were taken already, and perhaps
  // done. They are not refused, and are settled whoever still waits for them.
  void PutBack(AppCommands calls);

  struct Taken {
    AppCommands calls;      // of one app and urgency in the order of their coming
    AppCommands abandoned;  // nobody waits for them any more: to be answered, and not done
  };
  // The next batch of a writer, from 0 on. From here until `Finished` it is under way, and no other writer is given a
  // call of its apps. `kept`: apps that stay this writer's, with its next batch.
  Taken Take(Clock::time_point now, std::size_t writer = 0);
  void Finished(Clock::time_point now, std::size_t writer = 0, const std::set<ProcessGuid>& kept = {});

  // How many calls the writer may take; less than wait, where others have their apps.
  std::size_t ready(std::size_t writer = 0) const;
  // While a batch is under way: whether a writer who waits for his turn need be told of the call of `app` that was put in last. He is told
  // of the first one, and waits with a deadline from then on; and where there are `much`, which are worth a batch beside the other. A
  // call of an app that is under way is found by its writer, who looks when his batch is done.
  bool IsNews(const ProcessGuid& app, std::size_t much) const;
  // Whether there are calls that any writer may take.
  bool HasFree() const { return waiting() > waiting_with_writers(); }
  bool empty() const { return waiting() == 0; }
  std::size_t size(Priority priority) const { return Of(priority).size; }

 private:
  struct Waiting {
    std::unique_ptr<AppCommand> call;
    bool put_back = false;
  };
  // What a writer does.
  struct Writing {
    std::optional<Clock::time_point> began;
    std::set<ProcessGuid> apps;
    std::size_t waiting = 0;  // calls of them
  };
  // The calls of one urgency.
  struct Lines {
    std::unordered_map<ProcessGuid, std::deque<Waiting>> of_app;  // none is empty
    // Each app that has a line is in one of the two, once.
    std::deque<ProcessGuid> turns;    // whose turn is next
    std::deque<ProcessGuid> resting;  // had their part of the last batch
    std::size_t size = 0;
    std::size_t apps() const { return turns.size() + resting.size(); }
  };
  Lines& Of(Priority priority) { return lines_[static_cast<std::size_t>(priority)]; }
  const Lines& Of(Priority priority) const { return lines_[static_cast<std::size_t>(priority)]; }
  void TakeBatch(Taken& taken, std::size_t writer);
  void TakeTurns(Lines& lines, std::size_t most, Taken& taken, std::size_t writer) const;
  // From here on these are the writer's, and no others.
  void Own(std::size_t writer, std::set<ProcessGuid> apps);
  // Nothing: a writer takes it at once.
  std::optional<Clock::time_point> BeganBefore(const ProcessGuid& app) const;
  Duration WaitOf(const CommandHeader& call, Clock::time_point now) const;
  std::size_t WaitingOf(const CommandHeader& call) const;
  std::size_t waiting_with_writers() const;
  std::size_t waiting() const { return size(Priority::kRolls) + size(Priority::kCallers); }

  const Limits limits_;
  std::array<Lines, 2> lines_;
  std::vector<Writing> writers_;
  std::unordered_map<ProcessGuid, std::size_t> writer_of_;  // of apps that one has
  Duration usual_{0};                       // what a batch takes: of late
  std::uint64_t refused_ = 0;
};

// For metrics.
std::string_view Name(CallQueue::Why why);  // "full", "app", "slow", "deadline"
std::string_view Name(Priority priority);   // "rolls", "callers"

}  // namespace baton
