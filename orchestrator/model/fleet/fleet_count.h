// How many of what there are, in one snapshot.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "orchestrator/model/actual_lrp.h"

namespace baton {

struct FleetCount {
  std::map<std::pair<LrpState, Presence>, std::int64_t> instances;
  std::int64_t slots = 0;  // of all apps that are desired
  std::int64_t slots_served = 0;
};

}  // namespace baton
