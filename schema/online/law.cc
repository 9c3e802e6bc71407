#include "schema/online/law.h"

#include <boost/mpl/vector/vector20.hpp>
#include <boost/msm/back/state_machine.hpp>
#include <boost/msm/front/functor_row.hpp>
#include <boost/msm/front/state_machine_def.hpp>

#include "orchestrator/base/pure_law.h"

namespace baton {
namespace {

namespace msm = boost::msm;
namespace mpl = boost::mpl;
using msm::front::none;
using msm::front::Row;

template <UpgradeEvent kEvent>
struct Is {};
using Found = Is<UpgradeEvent::kFound>;
using Begin = Is<UpgradeEvent::kBegin>;
using AllReady = Is<UpgradeEvent::kAllReady>;
using GiveUp = Is<UpgradeEvent::kGiveUp>;
using WasDone = Is<UpgradeEvent::kDone>;
using RollBack = Is<UpgradeEvent::kRollBack>;
using Finish = Is<UpgradeEvent::kFinish>;

struct LawFront : msm::front::state_machine_def<LawFront> {
  // As in orchestrator/roll/law.cc.
  using no_exception_thrown = int;
  using no_message_queue = int;

  template <UpgradeState kState>
  struct In : msm::front::state<> {};
  using None = In<UpgradeState::kNone>;
  using Waiting = In<UpgradeState::kWaiting>;
  using Syncing = In<UpgradeState::kSyncing>;
  using Switching = In<UpgradeState::kSwitching>;
  using Switched = In<UpgradeState::kSwitched>;
  using SyncingBack = In<UpgradeState::kSyncingBack>;
  using SwitchingBack = In<UpgradeState::kSwitchingBack>;

  using initial_state = None;

  // clang-format off
  struct transition_table : mpl::vector14<
      //  state          event     next
      Row<None,          Found,    Waiting,       none, none>,
      Row<Waiting,       Begin,    Syncing,       none, none>,
      Row<Syncing,       AllReady, Switching,     none, none>,
      Row<Syncing,       RollBack, Waiting,       none, none>,  // nothing was switched yet
      Row<Switching,     GiveUp,   Syncing,       none, none>,  // writes go on, and it is tried again
      Row<Switching,     RollBack, Waiting,       none, none>,
      Row<Switching,     WasDone,  Switched,      none, none>,
      Row<Switched,      RollBack, SyncingBack,   none, none>,
      Row<Switched,      Finish,   None,          none, none>,
      Row<SyncingBack,   AllReady, SwitchingBack, none, none>,
      Row<SyncingBack,   Begin,    Switched,      none, none>,  // the way back is given up
      Row<SwitchingBack, GiveUp,   SyncingBack,   none, none>,
      Row<SwitchingBack, Begin,    Switched,      none, none>,
      Row<SwitchingBack, WasDone,  Waiting,       none, none>
  > {};
  // clang-format on

  template <class Fsm, class Event>
  void no_transition(const Event&, Fsm&, int) {}  // Advance answers nothing
};

using Law = msm::back::state_machine<LawFront>;

struct States {
  using Name = UpgradeState;
  static constexpr std::size_t kCount = kUpgradeStates;
  template <UpgradeState kState>
  using Type = LawFront::In<kState>;
};
struct Events {
  using Name = UpgradeEvent;
  static constexpr std::size_t kCount = kUpgradeEvents;
  template <UpgradeEvent kEvent>
  using Type = Is<kEvent>;
};
using Pure = PureLaw<Law, msm::back::get_state_id, States, Events>;

}  // namespace

std::string_view Name(UpgradeEvent event) {
  constexpr std::string_view kNames[kUpgradeEvents] = {
      "found", "begin-upgrade", "all ready", "give up", "done", "rollback", "finish-upgrade"};
  return kNames[static_cast<std::size_t>(event)];
}

std::optional<UpgradeState> Advance(UpgradeState state, UpgradeEvent event) { return Pure::Advance(state, event); }

bool SourceCounts(UpgradeState state) {
  return state == UpgradeState::kWaiting || state == UpgradeState::kSyncing || state == UpgradeState::kSwitching;
}

bool Syncs(UpgradeState state) { return state == UpgradeState::kSyncing || state == UpgradeState::kSyncingBack; }

bool Switches(UpgradeState state) {
  return state == UpgradeState::kSwitching || state == UpgradeState::kSwitchingBack;
}

}  // namespace baton
