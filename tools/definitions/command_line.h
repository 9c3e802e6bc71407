// The command line of baton-definitions, as CLI11 describes it. What is printed from it: --help and the man page
// (tools/manual).
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "tools/definitions/options.h"

namespace baton::definitions {

inline constexpr char kAbout[] = "Lists, shows and checks the definitions in Baton's database";

struct Arguments {
  DefinitionsOptions options;
  std::string app;
  std::string guid;
  std::string identifier;
};

// Declares everything on `app`. What is parsed goes to `arguments`, which must live as long as `app`.
void Declare(CLI::App& app, Arguments& arguments);

}  // namespace baton::definitions
