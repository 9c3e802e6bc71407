// Killing what an instance left behind when its shim could not do it itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/shim/event_loop.h"
#include "tools/shim/instance_dir.h"
#include "tools/shim/process_table.h"

namespace baton {

// The processes of the instance: those that carry its mark in their environment; those in a session or process group
// whose recorded leader still lives, start time included; all that descend from these. Never ourselves. After a reboot
// of the machine (`state` from another boot) the recorded pids mean nothing.
std::vector<ProcessStat> ProcessesOfInstance(const std::string& instance_guid, const ShimState& state);

// Kills them, and again until there is none; then runs `done`, maybe before this returns.
void SweepInstance(EventLoop& loop, const std::string& instance_guid, const ShimState& state,
                   std::function<void()> done);

}  // namespace baton
