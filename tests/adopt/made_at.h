// When the apps of the tests were made.
#pragma once

#include "orchestrator/base/time.h"

namespace baton {

inline constexpr TimePoint kMadeAt = TimePoint(std::chrono::seconds(1'800'000'000));

}  // namespace baton
