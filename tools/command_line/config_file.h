// The file of --config: options as NAME = VALUE.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace baton {

// Declares --config, which `variable` of the environment stands in for. A name that is no option is refused, and one
// that is given twice: either would change nothing, without a word.
void TakeConfigFile(CLI::App& app, const std::string& about, const std::string& variable);

// The file that --config names, be it there or not.
std::optional<std::string> ConfigFileOf(const CLI::App& app);

// Whether what CLI11 says of a value, "--listen: Value x not in range", is said of one in the file.
bool IsOfConfigFile(const CLI::App& app, const std::string& complaint);

}  // namespace baton
