// The database's time: microseconds since 1970. The core never reads a clock; time arrives as an argument.
#pragma once

#include <chrono>
#include <cstdint>

namespace baton {

using Duration = std::chrono::microseconds;
using TimePoint = std::chrono::sys_time<Duration>;

using std::chrono::milliseconds;
using std::chrono::seconds;

inline std::int64_t Micros(TimePoint at) { return at.time_since_epoch().count(); }
inline TimePoint FromMicros(std::int64_t micros) { return TimePoint(Duration(micros)); }
inline std::int64_t Millis(Duration duration) { return std::chrono::duration_cast<milliseconds>(duration).count(); }

}  // namespace baton
