// A roll as people are shown it: its row, its numbers, its slots and what they wait for.
#pragma once

#include <optional>
#include <vector>

#include "baton/v2/roll.pb.h"
#include "orchestrator/model/app_edit.h"
#include "orchestrator/ports/reader.h"
#include "orchestrator/ports/store.h"
#include "orchestrator/roll/reason.h"

namespace baton {

class Grant;

// The planner's reasons for an app as it is now. What it would do at once is not done here.
std::vector<Reason> ReasonsFor(const AppRead& read);

// The app's open roll with numbers and slots. `read.app.roll` is set.
v2::Roll OpenRollView(const AppRead& read);
// By its id, or the latest of the app where `id` is empty. NOT_FOUND, also where the caller may not see the app.
Result<RollRead> FindRoll(Reader& reader, const RollId& id, const ProcessGuid& guid, const Grant& grant);
// Open or finished; with numbers and slots where it is open.
Result<v2::Roll> RollView(Reader& reader, const RollRead& found);
// The row and its numbers alone, as a call's answer carries it.
v2::Roll RollSummary(const AppState& app, const Moment& moment);
// The roll that a call leaves open, or closed last: the planner may have finished it in the same commit.
std::optional<v2::Roll> RollAfter(const Decided& decided);

}  // namespace baton
