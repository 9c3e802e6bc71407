// Scripts that complete the command line in a shell.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace baton::cli {

// For bash, and for zsh through its bashcompinit: every subcommand and option that `app` has, and the kinds of get and
// describe. Where nothing fits, files are offered.
std::string BashCompletion(const CLI::App& app);
std::string ZshCompletion(const CLI::App& app);

}  // namespace baton::cli
