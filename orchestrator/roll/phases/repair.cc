// Slots that serve nobody (rolls.md: "A slot that serves nobody"). Repaired by the restart rule, or filled with the
// goal in place.
#include <string>

#include "orchestrator/roll/phases/phases.h"
#include "orchestrator/roll/rules/backoff.h"
#include "orchestrator/roll/rules/guards.h"
#include "orchestrator/roll/rules/restart_rule.h"

namespace baton {
namespace {

constexpr const char* kUnproven =
    "it takes its slot unproven, because the old one is gone; its definition is not proven by that";

struct Wanted {
  DefinitionId definition;
  bool newcomer = false;  // it is of the target while there is no proof: an attempt of the roll
};

Wanted WantedIn(SlotBoard& board, const Slot& slot) {
  Wanted wanted{.definition = RestartDefinition(board, slot)};
  const Roll* roll = board.roll();
  if (!roll) return wanted;
  if (const auto due = FillDueAt(board, slot)) {
    if (*due <= board.now()) {
      wanted.definition = Goal(*roll);
    } else {
      board.plan().WakeAt(*due);
    }
  }
  // With proof a fill is a repair; without it is a newcomer. Going back, and while Held, everything is a repair.
  const bool forward = roll->state == RollState::kRolling || roll->state == RollState::kPaused;
  wanted.newcomer = forward && !board.Proved() && board.SameContent(wanted.definition, roll->target);
  return wanted;
}

// May the slot's next instance be made or started now?
bool MayStart(SlotBoard& board, const Slot& slot, const Wanted& wanted) {
  const Roll* roll = board.roll();
  const bool towards_goal =
      roll && board.SameContent(wanted.definition, Goal(*roll)) && (board.Moves() || roll->state == RollState::kPaused);
  if (towards_goal && board.BackOffUntil(slot.index)) return false;  // ExplainWaiting says so and wakes
  if (!wanted.newcomer) return true;
  // The slot's own crashed newcomer is the one that is being tried: it does not stand in its own way.
  if (board.IsNewcomer(slot.ordinary)) return true;
  if (Refusal refusal = CheckNewcomer(board, slot, Beside::kNothing)) {
    board.plan().reasons.push_back(*std::move(refusal));
    return false;
  }
  return true;
}

void MakeInPlace(SlotBoard& board, const Slot& slot, const Wanted& wanted, std::optional<TimePoint> down_since) {
  board.Make(slot.index, Presence::kOrdinary, wanted.definition, wanted.newcomer, down_since,
             {wanted.newcomer ? StepKind::kFilled : StepKind::kRepaired, "its slot serves nobody"});
}

// The newcomer of the slot is of what is to be started there: it becomes the ORDINARY one instead of a second.
bool Promote(SlotBoard& board, Slot& slot, const Wanted& wanted) {
  if (!slot.surge || slot.surge->state == LrpState::kCrashed) return false;
  if (!board.SameContent(slot.surge->definition, wanted.definition)) return false;
  const ActualLrp& surge = *slot.surge;
  if (slot.ordinary) board.Remove(*slot.ordinary, {StepKind::kWithdrawn, "it is down, and a newcomer takes its place"});
  const bool unproven = board.IsNewcomer(&surge);
  board.Alter(surge, {StepKind::kRepaired, unproven ? kUnproven : "its slot serves nobody"},
              [](ActualLrp& row) { row.presence = Presence::kOrdinary; });
  return true;
}

void RestartCrashed(SlotBoard& board, const Slot& slot, const Wanted& wanted) {
  const ActualLrp& crashed = *slot.ordinary;
  if (!wanted.newcomer) {
    if (crashed.crash_count >= kCrashesGivenUp) {
      board.plan().reasons.push_back(
          {rule::kGaveUp, slot.index,
           "it crashed " + std::to_string(crashed.crash_count) + " times: " + crashed.crash_reason, crashed.since,
           std::nullopt, "another definition"});
      return;
    }
    const TimePoint due = crashed.since + CrashBackOff(crashed.crash_count);
    if (board.now() < due) return board.plan().WakeAt(due);  // ExplainWaiting says so
  }
  board.Alter(crashed, {StepKind::kRepaired, "started again after a crash"}, [&](ActualLrp& row) {
    row.state = LrpState::kUnclaimed;
    row.since = board.now();
    row.retire_asked = false;  // it was asked of the start that is over
    if (wanted.newcomer) {
      row.roll_id = board.roll()->id;
      row.handed_over_at.reset();
    }
  });
}

void RepairSlot(SlotBoard& board, Slot& slot) {
  const bool takes_over = board.Moves() && board.IsNewcomer(slot.surge) && board.Ready(slot.surge);
  if (takes_over) return;  // the next phase does better
  const Wanted wanted = WantedIn(board, slot);
  const ActualLrp* ordinary = slot.ordinary;
  if (ordinary && ordinary->state == LrpState::kUnclaimed) {
    const bool fits = board.SameContent(ordinary->definition, wanted.definition);
    const bool moves_or_paused = board.Moves() || (board.roll() && board.roll()->state == RollState::kPaused);
    if (fits || (moves_or_paused && board.IsNewcomer(ordinary))) return;  // waits for placement
  }
  if (ordinary && MayRun(*ordinary)) {
    // It starts, or runs and is not ready. Only what the restart rule would not start may be put in its place.
    if (board.Serves(slot) || board.SameContent(ordinary->definition, wanted.definition)) return;
    const bool fill = board.roll() && board.SameContent(wanted.definition, Goal(*board.roll()));
    if (!fill || board.IsNewcomer(ordinary)) return;
    const bool comes = slot.surge && board.SameContent(slot.surge->definition, wanted.definition);
    if (comes) return;  // its newcomer takes the slot when it is ready; a second one would only take room
  }
  if (!MayStart(board, slot, wanted)) return;
  if (!ordinary || !MayRun(*ordinary)) {
    if (Promote(board, slot, wanted)) return;
  }
  if (const Refusal refusal = CheckRepair(board, slot)) return board.plan().reasons.push_back(*refusal);
  if (!ordinary) return MakeInPlace(board, slot, wanted, std::nullopt);
  if (ordinary->state == LrpState::kCrashed && board.SameContent(ordinary->definition, wanted.definition)) {
    return RestartCrashed(board, slot, wanted);
  }
  if (MayRun(*ordinary)) {
    if (Refusal refusal = CheckLeave(board, slot, *ordinary, wanted.definition)) return board.plan().reasons.push_back(*refusal);
  }
  // Kept for the slot, not for its new row: otherwise the replacement would not count as due, and be replaced at once.
  const TimePoint down_since = ordinary->down_since.value_or(ordinary->since);
  board.RetireOrRemove(*ordinary,
                       {StepKind::kWithdrawn, "the slot serves nobody and is to run " + wanted.definition.str()});
  MakeInPlace(board, slot, wanted, down_since);
}

}  // namespace

void Repair(SlotBoard& board) {
  for (auto& [index, slot] : board.slots()) {
    if (index >= board.instances()) break;
    // What runs and serves needs nothing; neither does a row that another phase will bring on its way.
    if (slot.ordinary && MayRun(*slot.ordinary) && board.Ready(slot.ordinary)) continue;
    if (board.plan().made >= kMadeInOnePass) return board.plan().WakeAt(board.now());
    RepairSlot(board, slot);
  }
}

}  // namespace baton
