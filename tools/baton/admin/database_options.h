// The command line of the commands that open a database themselves: `baton admin adopt` and `check-database`.
#pragma once

#include "tools/baton/command_line.h"

namespace baton::cli {

void DeclareDatabases(CLI::App& admin, Arguments& a, Command& command);

}  // namespace baton::cli
