// Apps of more than a few instances, as their last commit left them: the next batch reads again only what was written since
// (ReadWrittenActuals; docs/decisions/0055).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "orchestrator/model/app_state.h"
#include "orchestrator/model/quiet_slots.h"
#include "orchestrator/model/roll.h"

namespace baton {

// What PostgreSQL says of who wrote a row last (xmin), as it was read.
using RowGuards = std::map<ActualId, std::string>;

// When rows were read, in PostgreSQL's terms.
struct ReadAt {
  std::string horizon;  // a transaction's number: all before it were over
  std::string server;   // when it was started, or came back from a crash: another one counts by itself
};

// What the steps of an open roll say of its slots, as long as its row says the same of the steps: each one counts as a
// revision of it.
struct KnownLogs {
  RollId roll;
  std::int64_t revision = 0;
  std::int64_t counted_from = 0;
  std::map<int, SlotLog> slots;

  bool AreOf(const Roll& open) const {
    return open.id == roll && open.revision == revision && open.counted_from == counted_from;
  }
};

struct KnownApp {
  std::map<ActualId, ActualLrp> actuals;  // with the batch's own changes; those are read again as well
  RowGuards guards;                       // of those that were not changed since
  KnownLogs logs;
  QuietSlots quiet;
  ReadAt at;
  std::int64_t epoch = 0;  // of the leader: an election may shift times of all rows
};

using KnownRows = std::map<ProcessGuid, KnownApp>;

// An app is in it or with one batch, never both. Whoever takes one and does not commit does not put it back: the next
// one reads all of it. Of several threads.
class KnownApps {
 public:
  using Clock = std::chrono::steady_clock;

  struct Limits {
    std::size_t rows_min = 8;       // apps of fewer are read whole as quickly
    std::size_t rows_max = 50'000;  // of all apps together, some 2.5 kB each
  };
  // Nobody has put it back for so long. Well below the time in which transactions' numbers come again.
  static constexpr auto kKept = std::chrono::minutes(1);

  explicit KnownApps(const Limits& limits) : limits_(limits) {}

  const Limits& limits() const { return limits_; }

  // Those that this leadership has put back.
  KnownRows Take(const std::vector<ProcessGuid>& guids, std::int64_t epoch, Clock::time_point now);
  void Put(KnownRows apps, Clock::time_point now);
  void Clear();
  std::size_t rows() const;

 private:
  struct Entry {
    ProcessGuid guid;
    KnownApp app;
    Clock::time_point since;
  };
  using Entries = std::list<Entry>;  // the one that was put back last comes first

  // Into `forgotten`: thousands of rows are destroyed where nobody waits for the lock.
  void Forget(Entries::iterator entry, Entries& forgotten);
  void ForgetOld(Clock::time_point now, Entries& forgotten);

  const Limits limits_;
  mutable std::mutex mutex_;  // of all below
  Entries entries_;
  std::unordered_map<ProcessGuid, Entries::iterator> by_guid_;
  std::size_t rows_ = 0;
};

}  // namespace baton
