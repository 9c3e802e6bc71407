// What the cell puts into the environment of an instance's programs, and the files that its shim starts from.
#pragma once

#include <map>
#include <string>

#include "baton/v1/actual_lrp.pb.h"
#include "tools/cell/instances/record.h"

namespace baton::cell {

// As Diego gives them. PORT and CF_INSTANCE_PORT are ports of the host: a process has no container that would map its
// own. PORT_<definition's port> is the host's port for each, for programs with several.
std::map<std::string, std::string> CellEnvironment(const InstanceRecord& record, const std::string& address);

// How it is reached.
v1::ActualLRPNetInfo NetInfoOf(const InstanceRecord& record, const std::string& address);

}  // namespace baton::cell
