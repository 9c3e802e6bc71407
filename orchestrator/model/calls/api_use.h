// Which caller uses which method of which API version.
#pragma once

#include <cstdint>
#include <string>

#include "orchestrator/base/time.h"

namespace baton {

struct ApiMethod {
  std::string api;   // "v1"
  std::string name;  // "DesiredLRPs.DesireLRP"
};

// All callers beyond those that are counted by name.
inline constexpr char kOtherCallers[] = "other";

// Calls that were counted since they were written down last.
struct ApiCalls {
  ApiMethod method;
  std::string caller;
  std::int64_t calls = 0;
  Duration first_ago{0};
  Duration last_ago{0};
};

// All calls of a method by a caller.
struct ApiUse {
  ApiMethod method;
  std::string caller;
  std::int64_t calls = 0;
  TimePoint first_at{};
  TimePoint last_at{};
};

}  // namespace baton
