// Moments and durations as words for people.
#pragma once

#include <cstdint>
#include <string>

#include "orchestrator/base/time.h"

namespace baton {

// "2026-11-20T21:34:05.123456Z".
std::string Utc(TimePoint at);
// "2026-11-20 17:03:09 UTC", of nanoseconds since 1970; "-" for 0.
std::string HumanTime(std::int64_t nanos);

// "42s", "7m", "5h", "12d": one unit, the largest of which there are two (kubectl does so).
std::string AgeText(Duration age);
// "850ms", "42s", "3m12s", "5h3m", "12d4h": the two greatest units. Negative, as from clocks that differ: "0s".
std::string HumanDuration(std::int64_t ms);
// HumanDuration from `since` to `now`, both nanoseconds since 1970; "-" where since is 0.
std::string Age(std::int64_t since, std::int64_t now);

}  // namespace baton
