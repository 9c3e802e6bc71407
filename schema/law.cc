#include "schema/law.h"

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

template <VersionFact kFact>
struct Is {};
using Nothing = Is<VersionFact::kNothing>;
using OlderOlder = Is<VersionFact::kOlderOlder>;
using OlderSame = Is<VersionFact::kOlderSame>;
using OlderNewer = Is<VersionFact::kOlderNewer>;
using SameOlder = Is<VersionFact::kSameOlder>;
using SameOlderBack = Is<VersionFact::kSameOlderOfRollback>;
using SameSame = Is<VersionFact::kSameSame>;
using SameNewer = Is<VersionFact::kSameNewer>;
using NewerOlder = Is<VersionFact::kNewerOlder>;
using NewerSame = Is<VersionFact::kNewerSame>;
using NewerSameBack = Is<VersionFact::kNewerSameOfRollback>;
using NewerNewer = Is<VersionFact::kNewerNewer>;
using WasDone = Is<VersionFact::kDone>;

struct LawFront : msm::front::state_machine_def<LawFront> {
  // As in orchestrator/roll/law.cc.
  using no_exception_thrown = int;
  using no_message_queue = int;

  template <VersionDuty kDuty>
  struct To : msm::front::state<> {};
  using Check = To<VersionDuty::kCheck>;
  using Begin = To<VersionDuty::kBegin>;
  using Continue = To<VersionDuty::kContinue>;
  using End = To<VersionDuty::kEnd>;
  using Serve = To<VersionDuty::kServe>;
  using ShutDown = To<VersionDuty::kShutDown>;

  using initial_state = Check;

  // clang-format off
  struct transition_table : mpl::vector15<
      //  duty       found          next
      Row<Check,     Nothing,       End,       none, none>,  // the newest layout is made
      Row<Check,     OlderOlder,    Begin,     none, none>,  // the first of its version to lead
      Row<Check,     OlderSame,     Continue,  none, none>,  // who migrated has died
      Row<Check,     OlderNewer,    Continue,  none, none>,  // a newer one failed; from what `current` holds
      Row<Check,     SameOlder,     ShutDown,  none, none>,
      Row<Check,     SameOlderBack, End,       none, none>,  // the rollback is given up
      Row<Check,     SameSame,      Serve,     none, none>,
      Row<Check,     SameNewer,     Serve,     none, none>,  // a newer one died half-way; all of `current` is there
      Row<Check,     NewerOlder,    ShutDown,  none, none>,
      Row<Check,     NewerSame,     ShutDown,  none, none>,
      Row<Check,     NewerSameBack, End,       none, none>,
      Row<Check,     NewerNewer,    ShutDown,  none, none>,  // to be upgraded
      Row<Begin,     WasDone,       End,       none, none>,
      Row<Continue,  WasDone,       End,       none, none>,
      Row<End,       WasDone,       Serve,     none, none>
  > {};
  // clang-format on

  template <class Fsm, class Event>
  void no_transition(const Event&, Fsm&, int) {}  // Advance answers nothing
};

using Law = msm::back::state_machine<LawFront>;

struct States {
  using Name = VersionDuty;
  static constexpr std::size_t kCount = kVersionDuties;
  template <VersionDuty kState>
  using Type = LawFront::To<kState>;
};
struct Events {
  using Name = VersionFact;
  static constexpr std::size_t kCount = kVersionFacts;
  template <VersionFact kEvent>
  using Type = Is<kEvent>;
};
using Pure = PureLaw<Law, msm::back::get_state_id, States, Events>;

}  // namespace

std::string_view Name(VersionDuty duty) {
  constexpr std::string_view kNames[kVersionDuties] = {"CHECK", "BEGIN", "CONTINUE", "END", "SERVE", "SHUT_DOWN"};
  return kNames[static_cast<std::size_t>(duty)];
}

std::string_view Name(VersionFact fact) {
  constexpr std::string_view kNames[kVersionFacts] = {"none, none",
                                                      "older, older",
                                                      "older, same",
                                                      "older, newer",
                                                      "same, older",
                                                      "same, older, a rollback begun",
                                                      "same, same",
                                                      "same, newer",
                                                      "newer, older",
                                                      "newer, same",
                                                      "newer, same, a rollback at its end",
                                                      "newer, newer",
                                                      "done"};
  return kNames[static_cast<std::size_t>(fact)];
}

std::optional<VersionDuty> Advance(VersionDuty duty, VersionFact fact) { return Pure::Advance(duty, fact); }

VersionFact FactOf(const std::optional<VersionMark>& mark, RollbackMark rollback, std::int64_t ours) {
  if (!mark) return VersionFact::kNothing;
  if (mark->current < ours) {
    if (mark->target < ours) return VersionFact::kOlderOlder;
    return mark->target == ours ? VersionFact::kOlderSame : VersionFact::kOlderNewer;
  }
  if (mark->current == ours) {
    if (mark->target == ours) return VersionFact::kSameSame;
    if (mark->target > ours) return VersionFact::kSameNewer;
    return rollback == RollbackMark::kNone ? VersionFact::kSameOlder : VersionFact::kSameOlderOfRollback;
  }
  if (mark->target < ours) return VersionFact::kNewerOlder;
  if (mark->target > ours) return VersionFact::kNewerNewer;
  return rollback == RollbackMark::kEnded ? VersionFact::kNewerSameOfRollback : VersionFact::kNewerSame;
}

}  // namespace baton
