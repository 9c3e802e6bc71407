// Options that take one of a few words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace baton {

// Refuses every other word, with those that there are and the nearest of them. Help and completion have them, as "{table,json}".
CLI::Validator OneOf(std::vector<std::string> words);

// The words that such an option takes; empty: it takes any.
std::vector<std::string> WordsOf(const CLI::Option& option);

}  // namespace baton
