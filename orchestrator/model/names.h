// The words under which enumerators are stored, logged and printed. They are persisted: never change one.
#pragma once

#include <optional>
#include <string_view>

#include "orchestrator/base/result.h"
#include "orchestrator/model/actual_lrp.h"
#include "orchestrator/model/roll.h"
#include "orchestrator/model/strategy.h"

namespace baton {

std::string_view Name(RollState state);
std::string_view Name(StepKind kind);
std::string_view Name(Presence presence);
std::string_view Name(LrpState state);
// As gRPC calls its status: "INVALID_ARGUMENT".
std::string_view Name(ErrorKind kind);

// Nothing for a word that is none of them (a row edited by hand).
std::optional<RollState> ParseRollState(std::string_view name);
std::optional<StepKind> ParseStepKind(std::string_view name);
std::optional<Presence> ParsePresence(std::string_view name);
std::optional<LrpState> ParseLrpState(std::string_view name);

}  // namespace baton
