#include "tests/orchestrator/roll/random_app.h"

#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/roll/transition.h"

namespace baton {
namespace {

// Before the first plan.
[[maybe_unused]] const bool kPlansAreChecked = check_boards = true;

// Tells what was written past AppEdit, as a store does.
class TouchesAtTheEnd {
 public:
  explicit TouchesAtTheEnd(AppState& app) : app_(app), before_(app.actuals) {}
  ~TouchesAtTheEnd() {
    for (const auto& [id, lrp] : before_) {
      const auto now = app_.actuals.find(id);
      if (now == app_.actuals.end() || now->second != lrp) app_.quiet.Touch(lrp);
    }
  }

 private:
  AppState& app_;
  const std::map<ActualId, ActualLrp> before_;
};

void Crash(AppMaker& maker, const ActualId& id) {
  const ActualLrp& lrp = maker.app.actuals.at(id);
  AppEdit edit(maker.app, maker.moment, "cell");
  (void)DecideCrash(edit, {id, lrp.instance_guid, lrp.cell_id}, "it crashed");
  (void)edit.Finish();
}

void Ask(AppMaker& maker, RollEvent event) {
  if (!maker.app.roll) return;
  AppEdit edit(maker.app, maker.moment, "test");
  (void)ApplyRollEvent(edit, event, "the test");
  (void)edit.Finish();
}

}  // namespace

AppMaker RandomApp(Dice& dice) {
  AppMaker maker(1 + dice.Below(6));
  maker.app.quiet.Keep();
  Strategy& strategy = maker.strategy();
  strategy.max_surge = {dice.Below(3)};
  strategy.max_unavailable = {dice.Below(3)};
  strategy.max_in_flight = {1 + dice.Below(3)};
  strategy.count_stopping = !dice.OneIn(3);
  strategy.on_failure = static_cast<OnFailure>(dice.Below(3));
  if (dice.OneIn(2)) maker.app.desired->routes.mapped = {{RouteNamed("app.example"), 8080}};
  if (!maker.app.desired->routes.mapped.empty() && dice.OneIn(4)) {  // and one that leads nowhere
    for (auto& [key, definition] : maker.app.definitions) definition.ports = {8080, 2222};
    maker.app.desired->routes.mapped.push_back({RouteNamed("admin.example"), 7070});
  }
  if (dice.OneIn(4)) {
    strategy.stages = {{{1}, seconds(15)}, {{50, true}, std::nullopt}};
    if (dice.OneIn(2)) strategy.stages.back().verdict_url = "http://judge.example/ask";
  }
  maker.RunAll("v1");
  if (!dice.OneIn(4)) maker.OpenRoll();
  return maker;
}

void Disturb(AppMaker& maker, Dice& dice) {
  const TouchesAtTheEnd touches(maker.app);
  std::vector<ActualId> gone;
  for (auto& [id, lrp] : maker.app.actuals) {
    if (lrp.state == LrpState::kUnclaimed && !dice.OneIn(3)) AppMaker::Start(lrp, maker.moment.now);
    if (lrp.presence == Presence::kRetiring && dice.OneIn(2)) lrp.drained_by = maker.moment.consumers;
    if (lrp.stop_ordered_at && dice.OneIn(2)) gone.push_back(id);
    if (lrp.state == LrpState::kRunning && lrp.presence == Presence::kSurge && dice.OneIn(8)) {
      lrp.routable = false;
      lrp.routable_since.reset();
    }
  }
  for (const ActualId& id : gone) maker.app.actuals.erase(id);
  if (dice.OneIn(20)) maker.app.desired->instances = dice.Below(7);
  maker.Wait(milliseconds(500 + dice.Below(8000)));
}

void Promote(AppMaker& maker) {
  if (maker.app.roll && maker.app.roll->stage_since) Ask(maker, RollEvent::kPromote);
}

void DisturbMore(AppMaker& maker, Dice& dice) {
  const TouchesAtTheEnd touches(maker.app);
  for (auto& [id, lrp] : maker.app.actuals) {
    if (lrp.state != LrpState::kUnclaimed || !dice.OneIn(4)) continue;
    AppMaker::Start(lrp, maker.moment.now);
    lrp.state = LrpState::kClaimed;
    lrp.routable = false;
    lrp.routable_since.reset();
  }
  Disturb(maker, dice);
  std::vector<ActualId> crashing;
  for (auto& [id, lrp] : maker.app.actuals) {
    if (lrp.state == LrpState::kRunning && dice.OneIn(12)) crashing.push_back(id);
    if (lrp.state == LrpState::kRunning && dice.OneIn(15)) lrp.applied_by.clear();
    if (lrp.state == LrpState::kRunning && dice.OneIn(25)) lrp.cell_id = CellId("lost");
    if (MayRun(lrp) && dice.OneIn(25)) lrp.cell_id = kDrainingCell;
    if (MayRun(lrp) && dice.OneIn(25)) lrp.retire_asked = true;
  }
  for (const ActualId& id : crashing) Crash(maker, id);
  if (dice.OneIn(15)) Ask(maker, RollEvent::kPause);
  if (dice.OneIn(10)) Ask(maker, RollEvent::kResume);
  if (dice.OneIn(10)) Ask(maker, RollEvent::kPromote);
  if (dice.OneIn(30)) Ask(maker, RollEvent::kFailToHold);
}

}  // namespace baton
