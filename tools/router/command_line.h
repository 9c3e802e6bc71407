// The command line of baton-router, as CLI11 describes it. What is printed from it: --help, the man page and
// router.conf (tools/manual).
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/client/channel.h"
#include "tools/router/haproxy/worker_user.h"

namespace baton::router {

inline constexpr char kAbout[] = "Keeps HAProxy in step with Baton's route table";

struct Arguments {
  std::string id = "router-1";
  std::vector<std::string> batond{kDefaultAddress};
  bool spawn = false;
  bool keep_haproxy = false;
  bool goodbye = false;
  bool debug = false;
  std::string log_prefix = "none";
  std::string haproxy = "/usr/sbin/haproxy";
  std::string dir;
  std::string listen = "127.0.0.1:8080";
  std::size_t backends = 64;
  std::string socket;
  std::string map;
  std::string master;
  std::int64_t stop_limit_ms = 10'000;
  std::int64_t leftover_limit_ms = 60'000;
  std::string output = "table";
  int retries = 5;
  std::string tcp_ports;
  std::string tcp_listen;
  std::string router_group;
  std::string metrics;
  std::string haproxy_user = kHaproxyUser;
  std::vector<std::string> trust_forwarded;
  std::string tls;
};

// Declares everything on `app`. What is parsed goes to `arguments`, which must live as long as `app`.
void Declare(CLI::App& app, Arguments& arguments);

}  // namespace baton::router
