// The actions of a run info: whether they are well-formed, and what a cell must be able to do to enact them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "baton/v1/desired_lrp.pb.h"
#include "orchestrator/base/result.h"

namespace baton::wire {

// INVALID_ARGUMENT naming the action: none, an empty one, nested too deep, too many, or one that Baton does not have.
Status CheckActions(const v1::DesiredLRPRunInfo& run);

// Before the name of a volume driver, among the words of CellHello.abilities.
inline constexpr std::string_view kVolumeDriverNeed = "volume_driver.";

// Words of CellHello.abilities, sorted, each once.
std::vector<std::string> NeedsOf(const v1::DesiredLRPRunInfo& run);

// Of such a word: what becomes of an app with it where all cells are baton-cells, in a sentence; empty: it runs.
std::string BeyondBatonCell(std::string_view need);

}  // namespace baton::wire
