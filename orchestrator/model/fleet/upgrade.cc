#include "orchestrator/model/fleet/upgrade.h"

#include <array>

namespace baton {
namespace {

// Stored, logged and printed: never change one.
constexpr std::array<std::string_view, kUpgradeStates> kNames = {"NONE",     "WAITING",      "SYNCING",       "SWITCHING",
                                                                 "SWITCHED", "SYNCING_BACK", "SWITCHING_BACK"};

}  // namespace

std::string_view Name(UpgradeState state) { return kNames.at(static_cast<std::size_t>(state)); }

std::optional<UpgradeState> ParseUpgradeState(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<UpgradeState>(i);
  }
  return std::nullopt;
}

}  // namespace baton
