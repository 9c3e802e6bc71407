// How long to wait after a failure.
#pragma once

#include <algorithm>

#include "orchestrator/base/time.h"

namespace baton {

// Diego: the first two crashes restart at once; then 30 s x 2^(n-3), at most 16 min; at 200 it is given up.
inline constexpr int kCrashesGivenUp = 200;
inline Duration CrashBackOff(int crash_count) {
  if (crash_count < 3) return Duration(0);
  return std::min<Duration>(std::chrono::minutes(16), seconds(30) * (1 << std::min(crash_count - 3, 10)));
}

// A failed attempt of a newcomer: 1 s x 2^(n-1), at most a minute. Short, because max_failures bounds the attempts and
// a rollback, which it does not bound, is not to be slow either.
inline Duration AttemptBackOff(int failed_attempts) {
  if (failed_attempts < 1) return Duration(0);
  return std::min<Duration>(seconds(60), seconds(1) * (1 << std::min(failed_attempts - 1, 10)));
}

// A crash after this long a run resets the crash count (Diego's rule).
inline constexpr Duration kCrashReset = std::chrono::minutes(5);

}  // namespace baton
