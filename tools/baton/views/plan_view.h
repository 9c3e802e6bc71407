// A plan as people read it.
#pragma once

#include <string>

#include "baton/v2/desired_lrps_service.pb.h"

namespace baton::cli {

// What would change, a line each: "  instances 6 -> 4"; secrets never by value.
std::string ChangesText(const v2::PlanUpdateResponse& plan);

// Changes, what it takes, steps, warnings. `all_steps`: not only the first and the last ones.
std::string PlanText(const std::string& guid, const v2::PlanUpdateResponse& plan, bool all_steps);

}  // namespace baton::cli
