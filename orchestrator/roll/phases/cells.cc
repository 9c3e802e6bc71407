// Lost and returned cells (rolls.md: "a cell is lost / returns").
#include <string>

#include "orchestrator/roll/phases/phases.h"
#include "orchestrator/roll/rules/restart_rule.h"
#include "orchestrator/roll/rules/route_floor.h"

namespace baton {
namespace {

void Unclaim(ActualLrp& row, TimePoint now) {
  row.state = LrpState::kUnclaimed;
  row.since = now;
  EndStart(row);
}

void LoseOrdinary(SlotBoard& board, Slot& slot) {
  const ActualLrp& lost = *slot.ordinary;
  const std::string text = "its cell " + lost.cell_id.str() + " is lost";
  if (lost.state == LrpState::kClaimed) {  // it did not run yet: another cell may start it
    if (!board.GoneWithCell(lost)) return;
    board.Alter(lost, {StepKind::kRepaired, text}, [&](ActualLrp& row) { Unclaim(row, board.now()); });
    return;
  }
  if (slot.suspect) {
    if (!board.GoneWithCell(*slot.suspect)) return;
    board.Remove(*slot.suspect, {StepKind::kRetired, "a second loss in its slot"});
  }
  board.Alter(lost, {StepKind::kRepaired, text}, [&](ActualLrp& row) { row.presence = Presence::kSuspect; });
}

// A cell came back with an instance whose slot is another's by now.
void TakeBack(SlotBoard& board, Slot& slot) {
  const ActualLrp& back = *slot.suspect;
  const bool fits = board.roll() || board.SameContent(back.definition, RestartDefinition(board, slot));
  if (board.Ready(slot.ordinary) || !fits) {
    board.Retire(back, {StepKind::kWithdrawn, "its cell is back, its slot is another's"});
    return;
  }
  const ActualLrp* ordinary = slot.ordinary;
  board.Alter(back, {StepKind::kRepaired, "its cell is back"},
              [](ActualLrp& row) { row.presence = Presence::kOrdinary; });
  if (ordinary) board.RetireOrRemove(*ordinary, {StepKind::kWithdrawn, "the one that it replaced is back"});
}

}  // namespace

void FollowCells(SlotBoard& board) {
  for (auto& [index, slot] : board.slots()) {
    if (slot.ordinary && board.Lost(*slot.ordinary)) LoseOrdinary(board, slot);
    if (slot.surge && board.Lost(*slot.surge)) {
      board.Remove(*slot.surge, {StepKind::kWithdrawn, "its cell is lost: no failed attempt"});
    }
    if (slot.evacuating && board.Lost(*slot.evacuating)) {
      board.Remove(*slot.evacuating, {StepKind::kRetired, "its cell is lost"});
    }
    if (slot.suspect) {
      if (!board.Lost(*slot.suspect)) {
        TakeBack(board, slot);
      } else if (board.Ready(slot.ordinary) && board.GoneWithCell(*slot.suspect)) {
        board.Remove(*slot.suspect, {StepKind::kRetired, "its cell is lost and its slot is served"});
      }
    }
    if (slot.evacuating && board.Ready(slot.ordinary)) {
      if (Refusal refusal = CheckRouteFloor(board, slot, *slot.evacuating, slot.ordinary->definition)) {
        board.plan().reasons.push_back(*std::move(refusal));
      } else {
        board.Retire(*slot.evacuating, {StepKind::kWithdrawn, "its replacement is ready"});
      }
    }
  }
}

}  // namespace baton
