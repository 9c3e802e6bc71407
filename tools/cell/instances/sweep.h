// Killing what an instance left behind when its shim could not do it itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/shim/event_loop.h"
#include "tools/shim/instance_dir.h"
#include "tools/shim/process_table.h"

namespace baton::cell {

// Whose processes, and by what they are known.
struct Swept {
  std::string instance_guid;
  shim::ShimState state;
  std::string cgroup;  // directory; empty: it has none
};

// The processes of the instance: those that carry its mark in their environment; those in a session or process group
// whose recorded leader still lives, start time included; those in its cgroup; all that descend from these. Never
// ourselves. After a reboot of the machine (`state` from another boot) the recorded pids mean nothing.
std::vector<shim::ProcessStat> ProcessesOfInstance(const Swept& swept);

// Kills them, and again until there is none; then runs `done`, maybe before this returns.
void SweepInstance(shim::EventLoop& loop, const Swept& swept, std::function<void()> done);

}  // namespace baton::cell
