// Domain freshness (Diego): a controller's statement that Baton's view of its domain is complete.
#pragma once

#include <optional>
#include <string>

#include "orchestrator/base/time.h"

namespace baton {

struct DomainRecord {
  std::string name;
  std::optional<TimePoint> expires_at;  // nothing: never
};

}  // namespace baton
