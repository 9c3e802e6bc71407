// The planner, for rows as nobody would write them: it never takes a guarded step that it may not, and ends.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orchestrator/base/check.h"
#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

Strategy AnyStrategy() {
  Strategy s;
  s.mode = *rc::gen::weightedElement<Mode>({{4, Mode::kRolling}, {1, Mode::kRecreate}});
  s.max_surge = {*rc::gen::inRange(0, 120), *rc::gen::arbitrary<bool>()};
  s.max_unavailable = {*rc::gen::inRange(0, 120), *rc::gen::arbitrary<bool>()};
  s.max_in_flight = {*rc::gen::inRange(1, 120), *rc::gen::arbitrary<bool>()};
  s.count_stopping = *rc::gen::arbitrary<bool>();
  s.on_failure = *rc::gen::element(OnFailure::kRollback, OnFailure::kHold, OnFailure::kContinue);
  const int stages = *rc::gen::inRange(0, 3);
  for (int i = 0; i < stages; ++i) s.stages.push_back({{*rc::gen::inRange(1, 101), true}, std::nullopt});
  return s;
}

// Any rows that the database's constraints let in.
void FillWithAnything(AppMaker& maker) {
  const int slots = maker.app.desired->instances + 2;
  for (int i = 0; i < slots; ++i) {
    for (const Presence presence : {Presence::kOrdinary, Presence::kSurge, Presence::kSuspect, Presence::kRetiring}) {
      if (*rc::gen::inRange(0, 10) >= (presence == Presence::kOrdinary ? 8 : 3)) continue;
      ActualLrp& lrp = maker.Add(i, presence, *rc::gen::element<std::string>("v1", "v2"));
      const bool must_run = presence == Presence::kSuspect || presence == Presence::kRetiring;
      const int state = *rc::gen::inRange(must_run ? 2 : 0, 4);
      if (state >= 2) AppMaker::Start(lrp, maker.moment.now - seconds(*rc::gen::inRange(0, 30)));
      if (state == 1) lrp.state = LrpState::kCrashed;
      if (state == 2) lrp.routable = false, lrp.routable_since.reset();
      if (presence == Presence::kRetiring) {
        lrp.retiring_since = lrp.drain_not_before = maker.moment.now;
        lrp.drain_until = maker.moment.now + seconds(15);
      }
      if (maker.app.roll && lrp.definition.str() == "v2") lrp.roll_id = maker.app.roll->id;
    }
  }
}

RC_GTEST_PROP(Planner, NeverLowersWhatIsServedBelowTheFloorWhateverTheRowsAre, ()) {
  AppMaker maker(*rc::gen::inRange(0, 6));
  maker.strategy() = AnyStrategy();
  if (*rc::gen::arbitrary<bool>()) maker.OpenRoll();
  FillWithAnything(maker);
  if (maker.app.roll) {
    const RollState state = *rc::gen::element(RollState::kRolling, RollState::kPaused, RollState::kHeld);
    maker.app.roll->state = state;
    maker.app.roll->paused_by_hand = state == RollState::kPaused;
    if (*rc::gen::arbitrary<bool>()) maker.app.roll->proved_at = maker.moment.now;
  }
  const int served = Progress(maker.app, maker.moment).served;
  const Limits limits = ResolveLimits(maker.strategy(), maker.app.desired->instances);
  const int floor = maker.app.desired->instances - limits.max_unavailable;
  maker.PlanNow();
  RC_ASSERT(Progress(maker.app, maker.moment).served >= std::min(served, floor));
  RC_ASSERT(maker.PlanNow().steps == 0);  // a second look at the same moment finds nothing to do
}

}  // namespace
}  // namespace baton
