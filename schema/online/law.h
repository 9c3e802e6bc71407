// The law of an online upgrade: which state follows from a state and what happened. Written once as a Boost.MSM table in
// law.cc; the upgrader, the tests and the printed page ask this one function.
#pragma once

#include <optional>
#include <string_view>

#include "orchestrator/model/fleet/upgrade.h"

namespace baton {

enum class UpgradeEvent {
  kFound,      // a leader that may upgrade online found data of an older layout, and serves it
  kBegin,      // `baton admin begin-upgrade`
  kAllReady,   // every shard says the same in both layouts
  kGiveUp,     // writes may not stop any longer
  kDone,       // the other layout counts from now on
  kRollBack,   // `baton admin rollback`
  kFinish,     // `baton admin finish-upgrade`
};
inline constexpr int kUpgradeEvents = 7;

std::string_view Name(UpgradeEvent event);

// The next state; nothing where the event means nothing there. Total.
std::optional<UpgradeState> Advance(UpgradeState state, UpgradeEvent event);

// Whether the older layout counts.
bool SourceCounts(UpgradeState state);
// Whether shards are being brought to say the same.
bool Syncs(UpgradeState state);
bool Switches(UpgradeState state);

}  // namespace baton
