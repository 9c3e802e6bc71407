// Scripts that complete the command line in a shell.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "tools/baton/session.h"

namespace baton::cli {

// For bash, and for zsh through its bashcompinit: every subcommand and option that `app` has, and the kinds of get and
// describe. Names of apps, cells and rolls are asked of batond, for a second at most, and left out where it is away.
// Where nothing fits, files are offered.
std::string BashCompletion(const CLI::App& app);
std::string ZshCompletion(const CLI::App& app);

// What the scripts ask: the names of all apps, cells or open rolls (arguments.kind: app, cell, roll), one a line; of a
// kind that has none, or where no batond answers, nothing. No batond is no failure: completion prints no errors.
int Names(Session& session);

}  // namespace baton::cli
