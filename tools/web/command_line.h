// The command line of baton-web, as CLI11 describes it. What is printed from it: --help, the man page and web.conf
// (tools/manual).
#pragma once

#include <CLI/CLI.hpp>

#include "tools/web/options.h"

namespace baton::web {

inline constexpr char kAbout[] = "Shows Baton to people with a browser, and its API as JSON";

// Declares everything on `app`. What is parsed goes to `options`, which must live as long as `app`.
void Declare(CLI::App& app, WebOptions& options);

}  // namespace baton::web
