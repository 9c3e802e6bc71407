// Any app that can be stored, secrets and all, for rapidcheck.
#pragma once

#include "baton/v2/desired_lrp.pb.h"

namespace baton::cli {

// As GetDesiredLRP shows it with its secrets. Each field of each message may be set, to any value of its type: texts that
// mean something to YAML, numbers at the ends of their ranges, routes that are no JSON. Only within a property.
v2::DesiredLRP AnyApp();

}  // namespace baton::cli
