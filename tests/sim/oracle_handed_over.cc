// A roll that hurts stops (I13): while more slots that it has handed over than max_failed_slots are not well, nothing is
// taken from an old instance that is, and nothing new is begun. So a version whose every instance dies after it was let
// in costs the slots that were handed over before the first of these crashes was known, and no more: with one slot at a
// time max_failed_slots + 1.
#include <algorithm>

#include "tests/sim/oracle.h"
#include "tests/sim/world.h"

namespace baton::sim {
namespace {

bool GoesForward(const std::optional<Roll>& roll) {
  return roll && roll->state == RollState::kRolling && roll->proved_at && !roll->source.empty();
}

}  // namespace

std::set<int> Oracle::Hurting(const AppState& app) const {
  std::set<int> hurting;
  if (!app.desired || !GoesForward(app.roll)) return hurting;
  const Strategy& strategy = app.roll->strategy;
  const auto content = [&](const DefinitionId& id) { return app.definitions.at({app.desired->incarnation, id}).content_hash; };
  for (const auto& [index, log] : app.slot_logs) {
    const bool given_up =
        strategy.on_failure == OnFailure::kContinue && log.failed_attempts >= strategy.max_failures;
    if (index >= app.desired->instances || !log.handed_over || given_up) continue;
    Duration wanted = strategy.min_healthy_time;
    for (int i = 0; i < log.late_failures; ++i) wanted = std::min(2 * wanted, strategy.progress_deadline);
    bool well = false;
    bool olds = false;
    for (const auto& [id, lrp] : app.actuals) {
      if (lrp.incarnation != app.desired->incarnation || lrp.index != index) continue;
      const bool targets = content(lrp.definition) == content(app.roll->target);
      olds |= lrp.presence == Presence::kOrdinary && !targets;
      const bool long_enough = lrp.routable_since && *lrp.routable_since + wanted <= world_.now();
      // Of a cell that is back it takes its slot in this commit.
      const bool back = lrp.presence == Presence::kSuspect && !world_.store().moment().Lost(lrp.cell_id);
      const bool well_here = Ready(app, lrp) && (log.late_failures == 0 || (targets && long_enough));
      well |= well_here || back;
    }
    if (!well && !olds) hurting.insert(index);
  }
  return hurting;
}

void Oracle::CheckHandedOver(const std::string& name, const AppState& app, const AppChanges& changes) {
  const auto& roll = roll_before_[app.guid];
  if (!GoesForward(roll) || !GoesForward(app.roll) || roll->id != app.roll->id) return;
  std::set<int> hurting;
  std::ranges::set_intersection(hurting_before_[app.guid], Hurting(app), std::inserter(hurting, hurting.end()));
  const int most = app.roll->strategy.max_failed_slots;
  if (static_cast<int>(hurting.size()) <= most) return;
  const auto& rows_before = rows_before_[app.guid];
  for (const RollStep& step : changes.steps) {
    const bool takes = step.kind == StepKind::kHandedOver && std::ranges::any_of(rows_before, [&](const auto& entry) {
                         const ActualLrp& old = entry.second;
                         return old.index == step.index && old.presence == Presence::kOrdinary && Ready(app, old);
                       });
    if (!takes && step.kind != StepKind::kSurged && step.kind != StepKind::kReplaced) continue;
    world_.Broken("I13 after " + name + ": " + app.guid.str() + " goes on in slot " + std::to_string(step.index) +
                  " while " + std::to_string(hurting.size()) + " handed-over slots are not well, the first slot " +
                  std::to_string(*hurting.begin()));
  }
}

}  // namespace baton::sim
