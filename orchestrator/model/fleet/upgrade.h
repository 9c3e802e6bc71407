// An upgrade of the data while everything goes on: where it is, as operators, clients and the database see it
// (docs/guide/upgrades.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/base/time.h"

namespace baton {

enum class UpgradeState {
  kNone,           // the data is what the program is built for, and of one layout
  kWaiting,        // the older layout counts, and is served; an operator may begin
  kSyncing,        // shard by shard the new layout is brought to say the same, and that is checked
  kSwitching,      // writes stop; what was written since is checked
  kSwitched,       // the new layout counts; the older one is still there
  kSyncingBack,    // as kSyncing, for the way back
  kSwitchingBack,  // as kSwitching
};
inline constexpr int kUpgradeStates = 7;

std::string_view Name(UpgradeState state);
std::optional<UpgradeState> ParseUpgradeState(std::string_view name);

// Into how many parts the work is cut at most.
inline constexpr int kShardsMax = 1024;

struct UpgradeShard {
  int shard = 0;
  bool ready = false;
  std::string reason;  // why it is not, where it was tried
  std::int64_t rows_left = 0;
};

struct UpgradeView {
  UpgradeState state = UpgradeState::kNone;
  std::int64_t source = 0;  // migrations' numbers
  std::string source_semver;
  std::int64_t target = 0;
  std::string target_semver;
  bool keep_old = false;    // after the switch the older layout is kept in step
  bool both_in_step = false;  // every write goes to both layouts now
  std::vector<UpgradeShard> shards;
  std::int64_t rows_total = 0;
  std::int64_t rows_left = 0;
  double rows_per_s = 0;
  std::int64_t write_stop_ms = 0;  // of the last switch
  TimePoint changed_at{};          // since when it is in this state
  std::string last_error;          // empty: the last step went well
};

// What callers have to know of the data.
struct DataMode {
  UpgradeState state = UpgradeState::kNone;
  std::string semver;         // that counts
  std::string source_semver;  // that it comes from
  std::string target_semver;  // that is meant to
  // Of schema 1.x: an app has one definition, and nothing rolls.
  bool one_definition = false;
};

}  // namespace baton
