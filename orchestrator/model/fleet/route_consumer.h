// A router as it is registered.
#pragma once

#include <string>

#include "orchestrator/base/time.h"
#include "orchestrator/model/id.h"

namespace baton {

struct RouteConsumerRecord {
  ConsumerId id;
  std::string version;
  TimePoint heard_at;  // in step, or when it came for the first time
  TimePoint lease_expires_at;
  bool lease_runs = false;  // by the database's clock
};

}  // namespace baton
