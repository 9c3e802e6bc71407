// The command line of `baton`, as CLI11 describes it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "tools/baton/session.h"

namespace baton::cli {

inline constexpr char kAbout[] = "Rolls apps from one definition to the next without a failed request";

// The subcommand that was given; set while the command line is parsed.
using Command = std::function<int(Session&)>;

// A subcommand that runs `run`.
CLI::App* AddCommand(CLI::App& app, const std::string& name, const std::string& help, Command& command,
                     int (*run)(Session&));

// Declares everything on `app`. What is parsed goes to `arguments` and `command`, which must live as long as `app`.
void Declare(CLI::App& app, Arguments& arguments, Command& command);

// What CLI11 cannot say about values that must fit together; empty: nothing.
std::string Fault(const Arguments& arguments);

}  // namespace baton::cli
