// The cgroup of a cell's instances under systemd: a scope of their own, left to the cell (Delegate=), in baton.slice.
// Not below the cell's own unit: a cgroup that gives controllers may have no processes, so the unit could not be
// started again.
#pragma once

#include <string>

#include "orchestrator/base/result.h"

namespace baton::cell {

// "baton-instances-CELL.scope". What a unit's name may not have is written as systemd-escape does.
std::string ScopeName(const std::string& cell_id);

// The directory of the scope, which is made where there is none; for Cgroups::Below. UNAVAILABLE where there is no
// systemd, or where it does not give one. `mounted`: where cgroup v2 is.
Result<std::string> OpenInstanceScope(const std::string& cell_id, const std::string& mounted);

}  // namespace baton::cell
