// The error and exit status of a program with an invalid command line.
#pragma once

#include <CLI/CLI.hpp>
#include <ostream>
#include <string>

namespace baton {

inline constexpr int kMistaken = 2;

// What is wrong, in one sentence. A word that means nothing comes first, with what may have been meant: what is missing
// besides is often only missing because of it.
std::string MistakeIn(const CLI::App& app, const CLI::ParseError& error);

// The exit status for what `app.parse` has thrown: 0 where help or the version were asked for, which are printed;
// kMistaken, and "PROGRAM: SENTENCE; see PROGRAM --help" on `err`.
int EndOf(const CLI::App& app, const CLI::ParseError& error, std::ostream& out, std::ostream& err);

}  // namespace baton
