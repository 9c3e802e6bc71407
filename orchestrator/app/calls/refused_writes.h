// Records refused writes with their reasons, and reads of secrets. On a thread of its own: no call waits for it or
// fails because of it. Only on the leader. A kill loses the records of the last moment, and the counts of reveals since
// their last row.
#pragma once

#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/app/calls/refusal_book.h"
#include "orchestrator/app/calls/reveal_book.h"
#include "orchestrator/base/ticker.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"

namespace baton {

class RefusedWrites {
 public:
  struct Options {
    RefusalBook::Limits limits = {};
    RevealBook::Limits reveals = {};
    Duration gather = milliseconds(500);  // reveals that are written together
    Duration every = seconds(5);      // between two looks at what was left out
    Duration try_again = seconds(1);  // after it could not be written
  };

  RefusedWrites(AuditStore& store, Log& log, Metrics& metrics, Options options);

  // From any thread, and brief. `entry` is as it is to be stored.
  void Add(AuditEntry entry);
  void AddReveal(AuditEntry entry, RevealBook::Rows rows);

  void Lead();
  void Follow();
  // Writes all of it, if that can be done within `timeout`, counts too that are not due yet: before another leads.
  void Settle(Duration timeout);
  void Stop() { ticker_.Stop(); }

 private:
  using Steady = std::chrono::steady_clock;
  Ticker::Wait Tick();
  // What is due, of both kinds. `mutex_` is held.
  std::vector<RefusedWrite> Take(Steady::time_point now, bool all);
  // Takes from `refused_` what was written, and what never will be.
  void Write();
  // The same of its first `many`, which are tried together. False: nothing more can be written for now.
  bool WriteFirst(std::size_t many);

  AuditStore& store_;
  Log& log_;
  Metrics& metrics_;
  const Options options_;
  // Of the thread alone:
  std::string trouble_;                // of the last try, as it was logged
  std::vector<RefusedWrite> refused_;  // taken, and not written yet
  Steady::time_point tried_{};         // when they were tried last

  std::mutex mutex_;
  RefusalBook book_;
  bool pending_ = false;
  RevealBook reveals_;
  std::optional<Steady::time_point> reveals_at_;  // when some are to be written
  std::shared_ptr<std::promise<void>> settling_;
  bool leading_ = false;
  Ticker ticker_;
};

}  // namespace baton
