#include "orchestrator/roll/rules/handed_over.h"

#include <algorithm>
#include <string>

namespace baton {
namespace {

std::string Times(int count) { return count == 1 ? "once" : std::to_string(count) + " times"; }

std::string HowItIs(const SlotBoard& board, const Slot& slot) {
  const SlotLog& log = board.Log(slot.index);
  const std::string crashed =
      log.late_failures > 0 ? "crashed " + Times(log.late_failures) + " since, the last: " + log.last_failure : "";
  if (!board.Serves(slot)) return "is not ready" + (crashed.empty() ? crashed : ": it " + crashed);
  return crashed + "; it is ready, and not for long enough yet";
}

}  // namespace

Duration SteadyTime(const Strategy& strategy, int crashes) {
  constexpr int kDoubledMax = 20;
  const Duration time = strategy.min_healthy_time * (1 << std::min(crashes, kDoubledMax));
  return std::max(strategy.min_healthy_time, std::min<Duration>(time, strategy.progress_deadline));
}

std::optional<TimePoint> SteadyAt(const SlotBoard& board, const Slot& slot) {
  std::optional<TimePoint> first;
  for (const ActualLrp* lrp : {slot.ordinary, slot.evacuating}) {
    if (!board.Ready(lrp) || !board.RunsGoal(lrp)) continue;
    const TimePoint at = *lrp->routable_since + SteadyTime(board.strategy(), board.Log(slot.index).late_failures);
    if (!first || at < *first) first = at;
  }
  return first;
}

bool IsSteady(const SlotBoard& board, const Slot& slot) {
  if (!slot.log || slot.log->late_failures == 0) return true;
  const auto at = SteadyAt(board, slot);
  return at && *at <= board.now();
}

Refusal CheckHandedOver(const SlotBoard& board, int index) {
  const auto& hurting = board.hurting();
  const int most = board.strategy().max_failed_slots;
  if (static_cast<int>(hurting.size()) <= most) return std::nullopt;
  const Slot& worst = board.slots().at(*hurting.begin());
  const std::string which = "slot " + std::to_string(worst.index);
  return Reason{rule::kHandedOver,
                index,
                which + ", which this roll handed over, " + HowItIs(board, worst) + " (" +
                    std::to_string(hurting.size()) + " such slots, max_failed_slots is " + std::to_string(most) + ")",
                std::nullopt,
                std::nullopt,
                which + " is ready" +
                    (board.Log(worst.index).late_failures > 0
                         ? " for " +
                               std::to_string(Millis(SteadyTime(board.strategy(),
                                                                board.Log(worst.index).late_failures))) +
                               " ms without a break"
                         : "")};
}

}  // namespace baton
