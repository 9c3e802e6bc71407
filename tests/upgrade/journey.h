// The way of an online upgrade there, back, there again and to its end, as an operator and the batonds that lead walk it,
// and what has to be true wherever somebody looks.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "schema/online/pg_upgrade.h"
#include "tests/fakes/silent_log.h"

namespace baton::testing {

inline constexpr int kJourneyApps = 6;

// An empty database becomes one of 1.1 with some apps; a working copy is made, and the record waits. Then somebody else
// changes an app, removes one, and makes one.
void MakeWaiting(const std::string& url);
// Names of all that were ever there.
std::vector<ProcessGuid> JourneyApps();

// What of a process drives the upgrade.
class LeadingProcess {
 public:
  explicit LeadingProcess(const std::string& url);

  // Elected, with the next epoch.
  Status Lead();
  PgUpgrade& upgrade() { return upgrade_; }
  WriteGate& gate() { return gate_; }
  const Leadership& leadership() const { return leadership_; }
  // What callers were told last.
  std::optional<DataMode> mode() const;

 private:
  const std::string url_;
  SilentLog log_;
  WriteGate gate_;
  mutable std::mutex mutex_;
  std::optional<DataMode> mode_;
  Leadership leadership_;
  PgUpgrade upgrade_;
};

// The operator: begin, roll back, begin, finish, each until it has come to its end. It knows which word was the last, and
// says it again where nobody knows what became of it.
inline constexpr int kWords = 4;
// Until `word` is `until`, or something fails. The process' word is compared with the record's at the end of each.
Status Walk(LeadingProcess& process, const std::string& url, std::atomic<int>& word, int until = kWords);

// Apps as 2.x tells them, without what differs from copy to copy.
std::string AppsOf(const std::string& url);
// What is wrong between the record, `versions` and the two layouts; empty: nothing. A difference that is noted to be taken
// over is none.
std::string Wrong(const std::string& url);

}  // namespace baton::testing
