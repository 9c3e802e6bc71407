// How long a roll took, and how long a serial one needs if Baton itself takes no time. One slot after the other starts
// its new instance, lets it prove itself, and drains the old one; the bake time comes last. All of it is known of the
// app or seen by the traffic. What Baton waits for is not in it.
#pragma once

#include <cstdint>
#include <vector>

#include "baton/v2/roll.pb.h"
#include "tools/demo/departure.h"

namespace baton::demo {

// What is known of the app, in milliseconds.
struct RollNeeds {
  std::int64_t start_ms = 0;        // until an instance that was started is ready
  std::int64_t min_healthy_ms = 0;  // how long it has to be ready before it gets its slot
  std::int64_t bake_ms = 0;         // how long the roll stays open after the last hand-over
  std::int64_t request_ms = 0;      // the longest that a request takes
};

// From the roll's opening until the last of the old instances was gone.
double RollSeconds(const v2::Roll& roll, const std::vector<Departure>& old_instances);

// The old instances in the order in which they went, one a slot. A drain counts with `request_ms` at most: what the
// traffic saw beyond that is its own being late.
double FloorSeconds(const std::vector<Departure>& old_instances, const RollNeeds& needs);

}  // namespace baton::demo
