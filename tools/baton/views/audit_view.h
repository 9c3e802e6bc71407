// Who asked for what, for people.
#pragma once

#include <string>

#include "baton/v2/admin_service.pb.h"

namespace baton::cli {

// A table, a line for each entry in the order given. `wide`: with the whole names of calls and the ids of requests.
std::string Words(const v2::ListAuditResponse& audit, bool wide);

}  // namespace baton::cli
