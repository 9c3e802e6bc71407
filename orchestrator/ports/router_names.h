// Routers whose names are new here, as the rows do not say it.
#pragma once

#include <map>

#include "orchestrator/base/time.h"
#include "orchestrator/model/id.h"

namespace baton {

class RouterNames {
 public:
  virtual ~RouterNames() = default;
  // As Moment::counted_since. From any thread; brief.
  virtual std::map<ConsumerId, TimePoint> CountedSince() const = 0;
};

}  // namespace baton
