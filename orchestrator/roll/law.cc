#include "orchestrator/roll/law.h"

#include <boost/mpl/vector/vector30.hpp>
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

template <RollEvent kEvent>
struct On {};
using Admit = On<RollEvent::kAdmit>;
using Pause = On<RollEvent::kPause>;
using Resume = On<RollEvent::kResume>;
using FailToHold = On<RollEvent::kFailToHold>;
using FailToRollback = On<RollEvent::kFailToRollback>;
using Retry = On<RollEvent::kRetry>;
using Cancel = On<RollEvent::kCancel>;
using Settle = On<RollEvent::kSettle>;
using SettleWithGaps = On<RollEvent::kSettleWithGaps>;
using Supersede = On<RollEvent::kSupersede>;
using Yield = On<RollEvent::kYield>;
using Stage = On<RollEvent::kStage>;
using Promote = On<RollEvent::kPromote>;

struct LawFront : msm::front::state_machine_def<LawFront> {
  // MSM would otherwise swallow an exception and report the event as handled, and keep a queue that nobody needs.
  using no_exception_thrown = int;
  using no_message_queue = int;

  template <RollState kState>
  struct In : msm::front::state<> {};
  using Queued = In<RollState::kQueued>;
  using Rolling = In<RollState::kRolling>;
  using Paused = In<RollState::kPaused>;
  using Held = In<RollState::kHeld>;
  using RollingBack = In<RollState::kRollingBack>;
  using Completed = In<RollState::kCompleted>;
  using CompletedWithGaps = In<RollState::kCompletedWithGaps>;
  using RolledBack = In<RollState::kRolledBack>;
  using Superseded = In<RollState::kSuperseded>;
  using Yielded = In<RollState::kYielded>;

  using initial_state = Queued;

  // clang-format off
  struct transition_table : mpl::vector26<
      //  from          event            to
      // Forward.
      Row<Queued,       Admit,           Rolling,           none, none>,
      Row<Rolling,      Settle,          Completed,         none, none>,
      Row<Rolling,      SettleWithGaps,  CompletedWithGaps, none, none>,
      Row<Held,         Settle,          Completed,         none, none>,
      // By hand.
      Row<Rolling,      Pause,           Paused,            none, none>,
      Row<Paused,       Resume,          Rolling,           none, none>,
      Row<Held,         Retry,           Rolling,           none, none>,
      // At a stage. (By hand and at a stage: ApplyRollEvent lets the last reason's end through.)
      Row<Rolling,      Stage,           Paused,            none, none>,
      Row<Paused,       Promote,         Rolling,           none, none>,
      // It failed.
      Row<Rolling,      FailToHold,      Held,              none, none>,
      Row<Rolling,      FailToRollback,  RollingBack,       none, none>,
      // Back, through the same machine. A rollback is never itself rolled back and never fails.
      Row<Queued,       Cancel,          RollingBack,       none, none>,
      Row<Rolling,      Cancel,          RollingBack,       none, none>,
      Row<Paused,       Cancel,          RollingBack,       none, none>,
      Row<Held,         Cancel,          RollingBack,       none, none>,
      Row<RollingBack,  Settle,          RolledBack,        none, none>,
      // A newer wish.
      Row<Queued,       Supersede,       Superseded,        none, none>,
      Row<Rolling,      Supersede,       Superseded,        none, none>,
      Row<Paused,       Supersede,       Superseded,        none, none>,
      Row<Held,         Supersede,       Superseded,        none, none>,
      Row<RollingBack,  Supersede,       Superseded,        none, none>,
      // The app goes.
      Row<Queued,       Yield,           Yielded,           none, none>,
      Row<Rolling,      Yield,           Yielded,           none, none>,
      Row<Paused,       Yield,           Yielded,           none, none>,
      Row<Held,         Yield,           Yielded,           none, none>,
      Row<RollingBack,  Yield,           Yielded,           none, none>
  > {};
  // clang-format on

  template <class Fsm, class Event>
  void no_transition(const Event&, Fsm&, int) {}  // refused: Advance answers nothing
};

using Law = msm::back::state_machine<LawFront>;

struct States {
  using Name = RollState;
  static constexpr std::size_t kCount = kRollStates;
  template <RollState kState>
  using Type = LawFront::In<kState>;
};
struct Events {
  using Name = RollEvent;
  static constexpr std::size_t kCount = kRollEvents;
  template <RollEvent kEvent>
  using Type = On<kEvent>;
};
using Pure = PureLaw<Law, msm::back::get_state_id, States, Events>;

}  // namespace

std::string_view Name(RollEvent event) {
  constexpr std::string_view kNames[kRollEvents] = {"admit", "pause",  "resume", "fail_to_hold",     "fail_to_rollback",
                                                    "retry", "cancel", "settle", "settle_with_gaps", "supersede",
                                                    "yield", "stage",  "promote"};
  return kNames[static_cast<std::size_t>(event)];
}

std::optional<RollState> Advance(RollState state, RollEvent event) { return Pure::Advance(state, event); }

}  // namespace baton
