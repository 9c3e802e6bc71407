// Detects the machine's properties for which the cell has no option set.
#pragma once

#include <string>

#include "orchestrator/model/definition.h"

namespace baton::cell {

// Path of a program in the folder of the running one; where it is not there, in /usr/libexec/baton, if the packages
// have put it there.
std::string ProgramBeside(const std::string& name);

// Capacities that are 0 become the machine's memory, the free disk below `dir`, 250 containers. Processes stay.
void FillIn(Resources& capacity, const std::string& dir);

}  // namespace baton::cell
