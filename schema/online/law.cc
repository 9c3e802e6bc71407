#include "schema/online/law.h"

#include "orchestrator/base/pure_law.h"

namespace baton {
namespace {

using msm::Row;

struct LawTable : msm::Table<LawTable> {
  using enum UpgradeState;
  using enum UpgradeEvent;

  using initial_state = msm::In<kNone>;

  // clang-format off
  struct transition_table : boost::mpl::vector14<
      //  state           event      next
      Row<kNone,          kFound,    kWaiting>,
      Row<kWaiting,       kBegin,    kSyncing>,
      Row<kSyncing,       kAllReady, kSwitching>,
      Row<kSyncing,       kRollBack, kWaiting>,        // nothing was switched yet
      Row<kSwitching,     kGiveUp,   kSyncing>,        // writes go on, and it is tried again
      Row<kSwitching,     kRollBack, kWaiting>,
      Row<kSwitching,     kDone,     kSwitched>,
      Row<kSwitched,      kRollBack, kSyncingBack>,
      Row<kSwitched,      kFinish,   kNone>,
      Row<kSyncingBack,   kAllReady, kSwitchingBack>,
      Row<kSyncingBack,   kBegin,    kSwitched>,       // the way back is given up
      Row<kSwitchingBack, kGiveUp,   kSyncingBack>,
      Row<kSwitchingBack, kBegin,    kSwitched>,
      Row<kSwitchingBack, kDone,     kWaiting>
  > {};
  // clang-format on
};

using Law = msm::PureLaw<LawTable, UpgradeState, kUpgradeStates, UpgradeEvent, kUpgradeEvents>;

}  // namespace

std::string_view Name(UpgradeEvent event) {
  constexpr std::string_view kNames[kUpgradeEvents] = {
      "found", "begin-upgrade", "all ready", "give up", "done", "rollback", "finish-upgrade"};
  return kNames[static_cast<std::size_t>(event)];
}

std::optional<UpgradeState> Advance(UpgradeState state, UpgradeEvent event) { return Law::Advance(state, event); }

bool SourceCounts(UpgradeState state) {
  return state == UpgradeState::kWaiting || state == UpgradeState::kSyncing || state == UpgradeState::kSwitching;
}

bool Syncs(UpgradeState state) { return state == UpgradeState::kSyncing || state == UpgradeState::kSyncingBack; }

bool Switches(UpgradeState state) {
  return state == UpgradeState::kSwitching || state == UpgradeState::kSwitchingBack;
}

}  // namespace baton
