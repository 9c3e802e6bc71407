// Who calls which version of the API, for people and for exit statuses.
#pragma once

#include <cstdint>
#include <string>

#include "baton/v2/admin_service.pb.h"

namespace baton::cli {

// A table of all calls, and a line for each version: who calls it lately, or since when nobody does.
std::string Words(const v2::GetApiUsageResponse& usage, std::int64_t now);

// Whether nobody has called any of them for so many days, and calls were counted for so long. `deprecated_only`: of
// versions that a newer one is served beside.
bool IdleFor(int days, const v2::GetApiUsageResponse& usage, bool deprecated_only, std::int64_t now);

}  // namespace baton::cli
