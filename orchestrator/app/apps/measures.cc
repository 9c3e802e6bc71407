#include "orchestrator/app/apps/measures.h"

#include "orchestrator/model/names.h"

namespace baton {
namespace {

void OfInstance(const ActualLrp& before, const ActualLrp& after, std::vector<Measure>& measures) {
  if (before.state == LrpState::kClaimed && after.state == LrpState::kRunning && before.claimed_at) {
    measures.push_back({"baton_start_seconds", "", after.since - *before.claimed_at});
  }
  if (after.crash_count > before.crash_count) measures.push_back({"baton_crashes_total", "", std::nullopt});
  if (!before.stop_ordered_at && after.stop_ordered_at && after.retiring_since) {
    measures.push_back({"baton_drain_seconds", "", *after.stop_ordered_at - *after.retiring_since});
  }
}

}  // namespace

std::vector<Measure> MeasuresOf(const AppChanges& changes) {
  std::vector<Measure> measures;
  for (const Roll& roll : changes.closed_rolls) {
    const std::string state(Name(roll.state));
    measures.push_back({"baton_rolls_finished_total", state, std::nullopt});
    if (roll.finished_at) measures.push_back({"baton_roll_seconds", state, *roll.finished_at - roll.opened_at});
  }
  for (const Event& event : changes.events) {
    if (event.kind == EventKind::kActualChanged) OfInstance(*event.actual_before, *event.actual_after, measures);
  }
  return measures;
}

}  // namespace baton
