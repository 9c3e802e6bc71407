// The outbox's reader: an event is settled, and read, once no open transaction can commit an earlier one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"

namespace baton {

struct EventRow {
  std::int64_t sequence = 0;
  TimePoint at;
  std::string kind;
  std::string process_guid;  // empty: of no app
  std::string payload;       // encoded; empty where it cannot be read
  bool unreadable = false;

  bool operator==(const EventRow&) const = default;
};

class EventLog {
 public:
  virtual ~EventLog() = default;
  struct Batch {
    std::vector<EventRow> events;
    std::int64_t settled = 0;  // everything up to here was told; rises also where a transaction was given up
    bool waiting = false;      // there is more behind a gap that an open transaction may still fill
  };
  // Settled events after the last call's, at most `limit`. It begins at the newest: until that is settled (`waiting`)
  // and with the call that finds it so, there are none. Blocks.
  virtual Result<Batch> Next(int limit) = 0;
};

}  // namespace baton
