// Everything that reads what strangers write, each behind one function of bytes. Run by every build for a moment, and for as long as one
// likes by `./dev fuzz` (replay_test.cc).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace baton::fuzz {

struct Target {
  const char* name;
  // Aborts where something that must hold does not.
  void (*run)(std::string_view bytes);
  // Good ones, to begin with.
  std::vector<std::string> (*seeds)();
};

const std::vector<Target>& Targets();
// Parts of them: what batond reads of those who call it; what cells and routers read.
const std::vector<Target>& CallerTargets();
const std::vector<Target>& MachineTargets();

}  // namespace baton::fuzz
