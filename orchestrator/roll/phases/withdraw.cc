// Withdraws newcomers that are no longer wanted (rolls.md, "Withdrawing").
#include <string>

#include "orchestrator/roll/phases/phases.h"
#include "orchestrator/roll/rules/guards.h"
#include "orchestrator/roll/rules/restart_rule.h"
#include "orchestrator/roll/rules/route_floor.h"

namespace baton {
namespace {

std::string WhyUnwanted(const SlotBoard& board, const Slot& slot) {
  const Roll* roll = board.roll();
  if (slot.index >= board.instances()) return "it is above the instance count";
  if (!roll) return "no roll is open";
  if (!board.IsNewcomer(slot.surge)) return "the roll goes elsewhere";
  if (slot.surge->state == LrpState::kCrashed) return "it crashed: " + slot.surge->crash_reason;
  // It may not start while the old one runs, and that one serves until it is ready.
  if (board.strategy().mode == Mode::kRecreate && !MayRun(*slot.surge)) return "the app must never run twice";
  const bool takes_over = !CheckHandOver(board, slot);  // and goes from there
  if (!takes_over && board.CellDrains(*slot.surge)) return "its cell drains: no failed attempt";
  if (!takes_over && slot.surge->retire_asked) return "it was asked to go";
  if (board.Moves() || roll->state == RollState::kPaused) return {};
  return "the roll is " + std::string(roll->state == RollState::kHeld ? "held" : "queued");
}

// It alone serves a route in its slot, and all that the old one serves: the slot is its own, so that what is wanted by
// now can be started beside it (simulation seed 1447). For a newcomer of the open roll that would be a step towards the
// target, past the hand-over's rules (seed 1549).
bool TakesOver(SlotBoard& board, Slot& slot) {
  if (board.IsNewcomer(slot.surge) || slot.index >= board.instances() || !slot.ordinary) return false;
  if (CheckRouteFloor(board, slot, *slot.ordinary, slot.surge->definition)) return false;
  board.RetireOrRemove(*slot.ordinary, {StepKind::kWithdrawn, "a newcomer serves a route that it does not serve"});
  board.Alter(*slot.surge, {StepKind::kRepaired, "it alone serves a route in its slot"},
              [](ActualLrp& row) { row.presence = Presence::kOrdinary; });
  return true;
}

void WithdrawSurge(SlotBoard& board, Slot& slot) {
  const std::string why = WhyUnwanted(board, slot);
  if (why.empty()) return;
  const ActualLrp& surge = *slot.surge;
  if (!MayRun(surge)) {
    board.Remove(surge, {StepKind::kWithdrawn, why});
    return;
  }
  const bool alone = slot.index < board.instances() && board.Ready(&surge) && !board.Ready(slot.ordinary) &&
                     !board.Ready(slot.evacuating);
  if (alone) {
    if (slot.ordinary && MayRun(*slot.ordinary)) return;  // that one is starting: withdrawn when it serves
    if (slot.ordinary) board.Remove(*slot.ordinary, {StepKind::kWithdrawn, "it is down, and a newcomer serves"});
    board.Alter(surge, {StepKind::kRepaired, "it alone serves its slot"},
                [](ActualLrp& row) { row.presence = Presence::kOrdinary; });
    return;
  }
  if (const Refusal refusal = CheckLeave(board, slot, surge)) {
    if (refusal->rule == rule::kRoute && TakesOver(board, slot)) return;
    board.plan().reasons.push_back(*refusal);
    return;
  }
  board.Retire(surge, {StepKind::kWithdrawn, why});
}

}  // namespace

void Withdraw(SlotBoard& board) {
  for (auto& [index, slot] : board.slots()) {
    if (slot.surge) WithdrawSurge(board, slot);
  }
}

}  // namespace baton
