// The load's account as JSON, for people and for other programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/load/options.h"
#include "tools/load/record.h"
#include "tools/load/snapshot.h"

namespace baton::load {

struct ReportParts {
  LoadOptions options;
  std::int64_t duration_ms = 0;
  LoadSnapshot snapshot;
  std::optional<int> min_serving;
  std::vector<AnswerRecord> answers;
  std::vector<std::int64_t> failure_times;
};

// {"options", "duration_ms", "requests", "answered", "failed", "first_failures", "longest_gap_ms", "min_serving",
// "reconnects", "p50_ms", "p99_ms", "answered_by_version", "by_kind", "instances", "seconds"}. "instances" holds, for
// each one that answered, "instance", "version", "slot", "answered", and the ends of its first and last answer
// ("first_ms", "last_ms"); "seconds", for each second of the traffic, how many were answered and failed, the versions
// that answered, and the slots. Times are milliseconds since the load's start.
std::string ReportJson(const ReportParts& parts);

}  // namespace baton::load
