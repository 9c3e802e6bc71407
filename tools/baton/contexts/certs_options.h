// The command line of `baton certs`.
#pragma once

#include "tools/baton/command_line.h"

namespace baton::cli {

void DeclareCerts(CLI::App& app, Arguments& arguments, Command& command);

}  // namespace baton::cli
