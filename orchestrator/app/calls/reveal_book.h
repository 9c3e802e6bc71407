// Which reads of secrets are recorded. An explicit request gets a row for each call. Callers that always see secrets
// (baton.v1), and followers of an app's output, get one row at once and then one an hour for each method, with the
// count.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "orchestrator/ports/audit_store.h"

namespace baton {

inline constexpr char kRevealed[] = "REVEALED";  // AuditEntry::outcome

class RevealBook {
 public:
  using Time = std::chrono::steady_clock::time_point;
  struct Limits {
    Duration window = std::chrono::hours(1);
    std::size_t callers_max = 1000;  // and methods, told apart; without certificates the names are the callers' own
    std::size_t due_max = 5000;      // rows in memory until they are written; what is beyond is counted
  };
  enum class Rows { kEach, kOneAnHour };

  explicit RevealBook(Limits limits) : limits_(limits) {}

  // Whether there is something to be written now.
  bool Add(AuditEntry entry, Rows rows, Time now);
  // What is to be written, in the order of its happening, and is forgotten here. `all`: also of hours that are not over.
  std::vector<RefusedWrite> TakeDue(Time now, bool all = false);
  void Clear();

 private:
  struct Due {
    AuditEntry entry;
    Time at;
  };
  struct Hour {
    Time begun;
    std::int64_t many = 0;  // since then without a row
    Due last;               // of them
  };

  bool Count(AuditEntry entry, Time now);

  const Limits limits_;
  std::map<std::string, Hour, std::less<>> hours_;  // by caller and method
  std::vector<Due> due_;
};

}  // namespace baton
