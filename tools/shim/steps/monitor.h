// One run of an instance's monitor action: Diego's health check of old, healthy if it succeeds.
#pragma once

#include "tools/shim/event_loop.h"
#include "tools/shim/instance_dir.h"

namespace baton::shim {

// In this process, beside the instance's shim; ends with nothing left. The exit code: 0 healthy, 1 not. What it writes
// is in the monitor's log.
int RunMonitorOnce(EventLoop& loop, const InstanceDir& dir);

}  // namespace baton::shim
