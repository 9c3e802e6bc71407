// The command line of batond, as CLI11 describes it. What is printed from it: --help, the man page and batond.conf
// (tools/manual).
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/batond/options.h"

namespace baton::batond {

inline constexpr char kAbout[] = "Rolls apps from one definition to the next without a failed request";

struct Arguments {
  ServiceOptions service;
  std::string tls;
  bool insecure = false;
  std::string log_level = "info";
  std::string log_prefix = "none";
  std::string upgrade = "simple";
  std::int64_t leader_lease_ms = 2000;
  std::int64_t cell_lease_ms = 10'000;
  std::int64_t route_lease_ms = 30'000;
  std::int64_t stop_grace_ms = 10'000;
  std::int64_t claim_ms = 5000;
  std::int64_t converge_ms = 5'000;
  std::int64_t wait_out_ms = 120'000;
  int audit_days = 90;
  std::vector<std::string> verdict_allow;
  bool accept_store = false;
  bool upgrade_after_rollback = false;
  bool database_insecure = false;
};

// Declares everything on `app`. What is parsed goes to `arguments`, which must live as long as `app`.
void Declare(CLI::App& app, Arguments& arguments);

}  // namespace baton::batond
