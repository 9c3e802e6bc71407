// The command line of `baton rollout`. A verb is a line of its table, and a row of docs/reference/cli.md.
#pragma once

#include "tools/baton/command_line.h"

namespace baton::cli {

void DeclareRollout(CLI::App& app, Arguments& a, Command& command);

}  // namespace baton::cli
