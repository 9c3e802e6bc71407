// The example app (examples/hello) as an app of Baton.
#pragma once

#include <string>
#include <vector>

#include "baton/v2/desired_lrps_service.pb.h"

namespace baton::stack {

struct HelloApp {
  std::string process_guid = "hello";
  std::string hostname = "hello.example";
  int instances = 6;
  std::uint32_t port = 8080;
  std::string program;  // path of examples/hello
  // Times in milliseconds, as v2::Strategy names them.
  int min_healthy_ms = 2000;
  int drain_timeout_ms = 10'000;
  int max_failures = 3;
};

// A version of it. `settings`: more environment, as "NAME=value"; see examples/hello/README.md.
v2::LRPDefinition HelloDefinition(const HelloApp& app, const std::string& version,
                                  const std::vector<std::string>& settings = {});
// A version that listens, never gets ready, and exits with 1 after a while: it never gets a request.
v2::LRPDefinition CrashingHello(const HelloApp& app, const std::string& version, int crash_after_ms);

v2::DesiredLRP DesiredHello(const HelloApp& app, const v2::LRPDefinition& definition);
v2::DesiredLRPUpdate UpdateTo(const v2::LRPDefinition& definition);

}  // namespace baton::stack
