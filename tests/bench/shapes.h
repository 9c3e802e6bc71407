// Apps as a Cloud Foundry has them: the two that Diego's BBS was measured with.
#pragma once

#include <cstdint>
#include <string>

#include "baton/v2/desired_lrps_service.pb.h"
#include "tools/stack/hello_app.h"

namespace baton::bench {

// "light": one environment variable, setup and action of one run each, a nested monitor, two groups of routes (1.1 kB),
// one egress rule; 1.4 kB in all. "heavy": a light one with 4 kB of VCAP_*, ten more variables and egress rules, three
// cached dependencies: 5.6 kB of run info. One instance each, proven as soon as it runs.
v2::DesireLRPRequest LightApp(const std::string& process_guid);
v2::DesireLRPRequest HeavyApp(const std::string& process_guid);

// What a cell has to be able to do for both.
inline constexpr const char* kAbilities[] = {"run", "user", "setup", "monitor", "egress_rules", "cached_dependencies"};

// What a simulated cell has for one instance, in MiB. It says that it has far more, so that more is asked of it, and
// rejected.
inline constexpr std::int64_t kSimulatedMemoryMb = 100'000;

// A definition of the example app that simulated cells run: nobody asks it anything.
v2::LRPDefinition SimulatedHello(const stack::HelloApp& app, const std::string& version);

// The same app of another version.
v2::UpdateDesiredLRPRequest NewDefinition(const std::string& process_guid, const std::string& version);

// "app-0000042".
std::string BenchGuid(int number);

}  // namespace baton::bench
