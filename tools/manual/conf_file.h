// A file of --config out of a command line as CLI11 describes it: every option as a comment, with its default.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace baton::manual {

// What may stand in the file. What has no environment variable is for one start (--accept-store): in a file it would be
// for each.
std::vector<const CLI::Option*> Settings(const CLI::App& app);

// Options of a command that takes them (CLI::App::configurable) stand under [COMMAND].
std::string ConfFile(const CLI::App& app, const std::string& program);

}  // namespace baton::manual
