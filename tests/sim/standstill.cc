#include "tests/sim/standstill.h"

#include <algorithm>
#include <optional>

namespace baton::sim {

void ShiftTimes(AppState& app, Duration by, TimePoint now) {
  const auto ends = [by](std::optional<TimePoint>& at) {
    if (at) *at += by;
  };
  const auto began = [by, now](std::optional<TimePoint>& at) {
    if (at) at = std::min(*at + by, now);
  };
  if (app.roll) {
    app.roll->deadline += by;
    for (auto* at : {&app.roll->clock_stopped_at, &app.roll->waiting_since, &app.roll->stage_since,
                     &app.roll->last_hand_over_at, &app.roll->waits_from}) {
      began(*at);
    }
  }
  for (auto& [id, lrp] : app.actuals) {
    const bool settled = lrp.presence == Presence::kOrdinary && lrp.state == LrpState::kRunning && lrp.routable_since;
    if (settled && !app.roll) continue;
    ends(lrp.drain_not_before);
    ends(lrp.drain_until);
    for (auto* at :
         {&lrp.routable_since, &lrp.claimed_at, &lrp.down_since, &lrp.retiring_since, &lrp.stop_ordered_at}) {
      began(*at);
    }
  }
}

}  // namespace baton::sim
