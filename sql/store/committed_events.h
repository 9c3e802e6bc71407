// Events that this process has committed, as they were before they were sealed, until they are told: their reader takes
// them from here in place of the table. The table is the truth: what is not here is read there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "orchestrator/ports/event_log.h"

namespace baton {

class CommittedEvents {
 public:
  static constexpr std::size_t kBytesMax = 32 << 20;  // of payloads; what comes beyond is read from the table

  // Once their commit is known to have passed, each with its sequence. From any thread, as all of it.
  void Put(std::vector<EventRow> events);
  // The one of this sequence, once. Those before it are forgotten.
  std::optional<EventRow> Take(std::int64_t sequence);
  // Those behind `sequence`, at most `most`: whoever was told of all up to there needs no look at the table. Nothing where one is
  // missing between them or behind them, or where there are others. Those up to `sequence` are forgotten.
  std::vector<EventRow> TakeRun(std::int64_t sequence, std::size_t most);
  // An event was committed that is not kept here: the next one to take a run is to look at the table, and need not wait until
  // one is missing.
  void ThereAreOthers();
  // A new reader: what was committed for another one is not its own.
  void Clear();

 private:
  EventRow TakeFirst();

  mutable std::mutex mutex_;
  std::map<std::int64_t, EventRow> events_;
  std::size_t bytes_ = 0;
  bool others_ = false;
};

}  // namespace baton
