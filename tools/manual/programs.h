// The programs that the packages install, each with its command line as CLI11 describes it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/manual/man_page.h"

namespace baton::manual {

struct Program {
  ManFacts facts;
  // Makes the command line, and shows it for as long as the call takes: what it declares writes to arguments of its
  // own.
  std::function<void(const std::function<void(CLI::App&)>&)> with;
};

const std::vector<Program>& Programs();
// Null: there is none of that name.
const Program* Find(const std::string& name);

// Errors are for people: nothing is printed where the program, or what is asked of it, is not there.
std::optional<std::string> PrintMan(const std::string& program);
// Of a program that takes --config.
std::optional<std::string> PrintConf(const std::string& program);
std::optional<std::string> PrintCompletion(const std::string& program, const std::string& shell);

}  // namespace baton::manual
