// Why an app, or a cell that drains, does not go on: what `explain` prints, and what waiting ends with.
#pragma once

#include <string>

#include "baton/v2/rolls_service.pb.h"
#include "tools/baton/session.h"

namespace baton::cli {

// `name`: an app's guid, or a roll's id. NOT_FOUND: Failure.
v2::ExplainRollResponse ReadExplanation(Session& session, const std::string& name);

// The cell and each instance that is left on it, with what holds that up.
std::string ExplainCell(Session& session, const std::string& cell);

}  // namespace baton::cli
