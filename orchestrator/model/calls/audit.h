// Who requested which change, and its outcome: a row of the table `audit`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/base/time.h"

namespace baton {

struct AuditEntry {
  std::int64_t sequence = 0;  // given when it is stored, as is `at`
  TimePoint at{};
  std::string actor;
  std::string method;  // as it was asked: "baton.v1.DesiredLRPs/UpdateDesiredLRP"
  std::string guid;    // the app, as the caller named it
  std::string request_id;
  std::string outcome = "OK";        // or the status that it was refused with, "INVALID_ARGUMENT"
  std::string reason;                // of a refusal
  std::int64_t left_out = 0;         // refusals of this actor just before this one that have no row of their own
  std::vector<std::string> changed;  // names of the app's fields, "strategy.max_surge"; never values
  std::string subject;               // what it was about where that is no app: "cell z1-3", "domain cf"; else empty

  bool operator==(const AuditEntry&) const = default;
};

// Of a list: what is not set is not asked for.
struct AuditFilter {
  std::string guid;
  std::string actor;
  TimePoint since{};
};

// Where a list of them goes on: before this row, newest first.
struct AuditPlace {
  TimePoint at = TimePoint(std::chrono::hours(24 * 365 * 200));
  std::int64_t sequence = 0;
};

// Whether the call is over with this: what may be asked again in a moment was not refused but put off.
bool IsRefusal(const Error& error);

// The column `outcome`: "OK", "OK instances,routes", or "NOT_FOUND +2 there is no app" where two were left out before
// it. A subject is a word more: "OK @cell%20z1-3 draining".
std::string StoredOutcome(const AuditEntry& entry);
// Sets what that holds. Other text, of a later version, becomes the outcome's first word and the reason.
void TakeOutcome(std::string_view stored, AuditEntry& entry);

}  // namespace baton
