// Which checks a definition asks for, on the host's ports.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "baton/v1/desired_lrp.pb.h"
#include "tools/cell/health/health_law.h"

namespace baton::cell {

// The definition's port -> the host's.
using PortMap = std::map<std::uint32_t, std::uint32_t>;

// CheckDefinition if there is one, else the monitor action, else that the first port accepts a connection; with no
// port either nothing: such an instance is ready as soon as its action runs.
// A check of a port that the map has not is none: batond and CannotEnact refuse it, and what runs since before runs on.
std::vector<CheckSpec> ChecksOf(const v1::DesiredLRPRunInfo& run_info, const PortMap& ports);

// The port of a check that is none of the app's.
std::optional<std::uint32_t> StrangePort(const v1::DesiredLRPRunInfo& run_info);

}  // namespace baton::cell
