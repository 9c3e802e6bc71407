// Decides about an instance that its cell has rejected.
#pragma once

#include <string>

#include "orchestrator/app/apps/lifecycle.h"

namespace baton {

// Nothing of it ran: it is no crash and no failed attempt, and waits for another cell. Also after its claim, for a cell
// finds out some things (a port, a process) only when it starts it. One that is on its way out is gone. Of one that runs:
// refused.
Status DecideRejected(AppEdit& edit, const InstanceRef& ref, const std::string& reason);

}  // namespace baton
