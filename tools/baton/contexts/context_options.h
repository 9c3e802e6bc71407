// The command line of `baton context`.
#pragma once

#include "tools/baton/command_line.h"

namespace baton::cli {

void DeclareContexts(CLI::App& app, Arguments& a, Command& command);

}  // namespace baton::cli
