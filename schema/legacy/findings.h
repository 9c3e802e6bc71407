// What a migration left out, as stored in legacy.left_out.
#pragma once

#include <string_view>
#include <vector>

#include "schema/legacy/apps/app.h"

namespace baton {

class Session;

std::string_view Name(LegacyFinding::Kind kind);
LegacyFinding::Kind ParseFindingKind(std::string_view name);

// Within a transaction. One that is there already stays.
void KeepFindings(Session& session, const std::vector<LegacyFinding>& findings);

}  // namespace baton
