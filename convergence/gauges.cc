#include "convergence/gauges.h"

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "orchestrator/model/names.h"

namespace baton {
namespace {

constexpr std::array kOpenStates = {RollState::kQueued, RollState::kRolling, RollState::kPaused, RollState::kHeld,
                                    RollState::kRollingBack};
constexpr std::array kStates = {LrpState::kUnclaimed, LrpState::kClaimed, LrpState::kRunning, LrpState::kCrashed};
constexpr std::array kPresences = {Presence::kOrdinary, Presence::kSurge, Presence::kRetiring, Presence::kEvacuating,
                                   Presence::kSuspect};
constexpr std::array<std::string_view, 4> kCellStates = {"present", "draining", "silent", "missing"};

std::string_view StateOf(const CellRecord& cell, TimePoint now) {
  if (cell.missing_since) return "missing";
  if (cell.lease_expires_at <= now) return "silent";
  return cell.draining ? "draining" : "present";
}

// 0 where there is none.
template <class Key>
double Of(const std::map<Key, std::int64_t>& counts, const Key& key) {
  const auto at = counts.find(key);
  return at == counts.end() ? 0 : static_cast<double>(at->second);
}

void SetFleet(Metrics& metrics, const FleetCount& fleet) {
  for (const LrpState state : kStates) {
    for (const Presence presence : kPresences) {
      metrics.Set("baton_instances", Of(fleet.instances, {state, presence}),
                  std::string(Name(state)) + " " + std::string(Name(presence)));
    }
  }
  metrics.Set("baton_slots", static_cast<double>(fleet.slots_served), "true");
  metrics.Set("baton_slots", static_cast<double>(fleet.slots - fleet.slots_served), "false");
}

}  // namespace

void SetGauges(Metrics& metrics, const SweepView& view) {
  std::map<RollState, std::int64_t> rolls;
  for (const RollSight& roll : view.open_rolls) ++rolls[roll.state];
  for (const RollState state : kOpenStates) metrics.Set("baton_rolls", Of(rolls, state), Name(state));
  std::map<std::string_view, std::int64_t> cells;
  for (const CellRecord& cell : view.cells) ++cells[StateOf(cell, view.now)];
  for (const std::string_view state : kCellStates) metrics.Set("baton_cells", Of(cells, state), state);
  if (view.kind != PassKind::kIncremental) SetFleet(metrics, view.fleet);
}

void ClearGauges(Metrics& metrics) {
  SetGauges(metrics, {.kind = PassKind::kCount});
  metrics.Set("baton_routes_unserved", 0);
}

}  // namespace baton
