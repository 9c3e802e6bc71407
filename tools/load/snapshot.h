// The load so far, in numbers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/load/record.h"

namespace baton::load {

struct LoadSnapshot {
  // Requests that were due so far. Each is answered, failed, or still in flight.
  std::int64_t requests = 0;
  std::int64_t answered = 0;
  std::int64_t failed = 0;
  // The first 20.
  std::vector<FailureRecord> first_failures;
  // See Gap: the longest time without a successful answer, the present one included.
  std::int64_t longest_gap_ms = 0;
  std::map<std::string, std::int64_t> answered_by_version;
  // Kept-alive connections that the other side closed while nothing was asked on them, or announced to close with a
  // good answer. Each was replaced. No request was lost by these.
  std::int64_t reconnects = 0;
  // Of fast requests that were answered.
  double p50_ms = 0;
  double p99_ms = 0;

  struct OfKind {
    std::int64_t answered = 0;
    std::int64_t failed = 0;
    double p50_ms = 0;
    double p99_ms = 0;
  };
  // By RequestKind.
  std::array<OfKind, kRequestKinds> by_kind;
};

}  // namespace baton::load
