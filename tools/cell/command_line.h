// The command line of baton-cell, as CLI11 describes it. What is printed from it: --help, the man page and cell.conf
// (tools/manual).
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "tools/cell/cell_options.h"

namespace baton::cell {

inline constexpr char kAbout[] = "Runs instances of apps on this machine, as batond orders";

struct Arguments {
  CellOptions options;
  std::string ports = "61000-62000";
  std::string log_level = "info";
  std::string log_prefix = "none";
  std::string output = "table";
  std::string metrics;
  std::string tls;
  bool insecure_root = false;
  bool all = false;
  std::string actual_id;
  bool raw = false;
};

// Declares everything on `app`. What is parsed goes to `arguments`, which must live as long as `app`.
void Declare(CLI::App& app, Arguments& arguments);

// After it was parsed: throws CLI::RequiredError where `run` lacks what it must be given, on the line, in the file or
// by environment.
void CheckComplete(const CLI::App& app, const Arguments& arguments);

}  // namespace baton::cell
