// What the demo has shown, in numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "baton/v2/definition.pb.h"
#include "baton/v2/roll.pb.h"

namespace baton::demo {

struct DemoResult {
  int instances = 0;

  // Judged by the traffic alone.
  std::int64_t requests = 0;
  std::int64_t failed = 0;
  std::int64_t longest_gap_ms = 0;
  // Least number of slots that answered in any second: of all the time before the machine dies, of the update, of the bad
  // update. Nothing: the time was shorter than a second.
  std::optional<int> min_serving;
  std::optional<int> min_serving_good;
  std::optional<int> min_serving_bad;

  // The update that goes well, and the one that cannot.
  v2::RollState good_outcome = v2::ROLL_STATE_UNSPECIFIED;
  double roll_seconds = 0;
  double roll_floor_seconds = 0;
  v2::RollState bad_outcome = v2::ROLL_STATE_UNSPECIFIED;
  int failed_attempts = 0;

  // A machine dies in the middle of the last update.
  v2::RollState lost_outcome = v2::ROLL_STATE_UNSPECIFIED;
  int lost_instances = 0;
  double recovered_seconds = 0;  // until every slot was served again

  // An update that changes the port and the route to it, and one to a version that crashes a moment after it was let in.
  v2::RollState route_change_outcome = v2::ROLL_STATE_UNSPECIFIED;
  std::int64_t route_change_failed = 0;  // requests
  std::optional<int> route_change_min_serving;
  v2::RollState late_crash_outcome = v2::ROLL_STATE_UNSPECIFIED;
  int late_crash_attempts = 0;
  std::optional<int> late_crash_min_serving;

  // Old instances that were drained, of all updates but the one in which the machine dies: how many the traffic can
  // judge, and the longest time from the last answer of one until it was gone. Nothing: none was judged.
  int drains = 0;
  std::optional<std::int64_t> longest_drain_wait_ms;

  // What is left in the end.
  std::vector<v2::Definition> definitions;
  int open_rolls = 0;
};

// The demo's last lines.
std::string AsLines(const DemoResult& result);
// For scripts; the names do not change.
std::string AsJson(const DemoResult& result);
// What was not as promised, a line each; empty: all was.
std::vector<std::string> BrokenPromises(const DemoResult& result);

}  // namespace baton::demo
