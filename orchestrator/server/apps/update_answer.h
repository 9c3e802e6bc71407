// An app as the answers of calls that change it show it.
#pragma once

#include "baton/v2/desired_lrps_service.pb.h"
#include "orchestrator/ports/app_command.h"

namespace baton {

// The scheduling part only: run info is not read for an answer that repeats what the caller sent.
v2::DesiredLRP AppView(const AppState& app);
// The app and its roll as they are committed; `changed`: by what was asked.
void FillUpdateAnswer(const Decided& decided, v2::UpdateDesiredLRPResponse& response);

}  // namespace baton
