// Old instances that were drained and removed: what the traffic saw of them, and how long they stayed after that.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "baton/v2/event.pb.h"
#include "tools/load/instance_span.h"

namespace baton::demo {

struct Departure {
  std::string instance_guid;
  std::string version;
  int index = 0;
  // Of the traffic alone, in milliseconds: from the last request that was given to it until the end of its last answer.
  std::int64_t drain_ms = 0;
  // In milliseconds: from the end of its last answer, by the traffic, until it was gone, by Baton.
  std::int64_t wait_ms = 0;
  // When it was gone, in nanoseconds since 1970.
  std::int64_t gone_at = 0;
};

// A drain that is acknowledged ends a few tenths of a second after the last answer: routers look for sessions every
// 60 ms, twice; then come a commit, SIGTERM, and at most a second in which the app ends. The rest is for a machine that
// is busy. A drain that nobody acknowledges takes all of drain_timeout, which is 10 s in the demo and in the scenes.
inline constexpr std::int64_t kDrainWaitMostMs = 3000;

// Of the events those of RETIRING instances that were removed, in their order. Instances that never answered (they were
// not let in, or went before the load began) are left out: of these the traffic shows nothing. `load_started_at`:
// Load::started_at of the load whose spans these are.
std::vector<Departure> DeparturesIn(const std::vector<v2::Event>& events, const load::InstanceSpans& spans,
                                    std::int64_t load_started_at);

// Milliseconds; nothing if there are none.
std::optional<std::int64_t> LongestWaitMs(const std::vector<Departure>& departures);

}  // namespace baton::demo
