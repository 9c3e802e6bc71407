// How a stack is to be.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace baton::stack {

// One of several batonds, where it is not as the others.
struct BatondStart {
  std::string program;                 // another one, that may not know --state; empty: the stack's
  std::string database;                // another way to the same; empty: the stack's
  std::vector<std::string> arguments;  // more of them
  std::vector<std::string> environment = {};  // "NAME=VALUE"
};

struct StackOptions {
  // Everything of it is here: data, logs, sockets. Made if missing. Must be reachable for the user that runs
  // PostgreSQL for root, and short (sockets).
  std::string dir;
  // Where the programs are; empty: beside the running one.
  std::string bin_dir;
  int cells = 2;
  // Cell N, and what it runs, is at 127.0.0.(N + 1), as if it were a machine of its own; else all of it at 127.0.0.1.
  bool own_addresses = false;
  // Over mutual TLS, with a throw-away authority and certificates for each part in DIR/pg/tls, as batond --embedded makes them;
  // of several batonds in DIR/tls. Else --insecure.
  bool tls = false;
  // More than one: side by side on `database`, or else on a PostgreSQL that the stack runs, DIR/pg; one runs its own.
  int batonds = 1;
  // Of a PostgreSQL that the caller runs, as libpq takes it; batonds are on it then, also one. Empty: as above.
  std::string database;
  std::vector<std::string> postgres_settings;  // of that PostgreSQL, "NAME=VALUE"
  std::function<void(const std::string& url)> prepare_database;  // of it, before the first batond starts
  std::vector<std::string> postgres_environment;  // the same of its processes
  // Taken if free, else others; 0: any free one.
  int api_port = 0;
  int metrics_port = 0;
  int http_port = 0;
  int web_port = 0;
  // With `tls`: batond gets an access file that lets a page call for operators; without one it calls for nobody.
  bool page = false;
  std::string log_level = "info";
  // More arguments.
  std::vector<std::string> batond_arguments;
  std::vector<std::string> batond_environment;  // of each, "NAME=VALUE"
  std::vector<std::string> cell_arguments;  // of each cell
  std::vector<std::string> router_arguments;
  std::vector<std::string> web_arguments;
  // A stop request ends all waiting with Interrupted.
  std::stop_token stop;
};

}  // namespace baton::stack
