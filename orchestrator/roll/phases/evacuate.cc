// Replaces healthy instances that have to go (rolls.md: "a cell drains", RetireInstances) by the restart rule,
// surge-first. Each serves as EVACUATING until its replacement is ready. RetireInstances leaves instances that an open
// roll is replacing to that roll.
#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include "orchestrator/model/names.h"
#include "orchestrator/roll/phases/phases.h"
#include "orchestrator/roll/retirement.h"
#include "orchestrator/roll/rules/guards.h"
#include "orchestrator/roll/rules/route_floor.h"

namespace baton {
namespace {

bool NeverTwice(const SlotBoard& board) { return board.strategy().mode == Mode::kRecreate; }

// It serves on, and its replacement must not start beside it: the app became RECREATE meanwhile.
bool IsInTheWay(const SlotBoard& board, const Slot& slot) {
  return NeverTwice(board) && slot.evacuating && !(slot.ordinary && MayRun(*slot.ordinary));
}

// The slot is being changed: one goes, or one is on its way.
bool IsBusy(const SlotBoard& board, const Slot& slot) {
  if (!slot.retiring.empty()) return true;
  if (IsInTheWay(board, slot)) return false;
  return slot.evacuating ||
         (slot.ordinary && slot.ordinary->state != LrpState::kCrashed && !board.Ready(slot.ordinary));
}

std::set<int> BusySlots(const SlotBoard& board) {
  std::set<int> busy;
  for (const auto& [index, slot] : board.slots()) {
    if (index < board.instances() && IsBusy(board, slot)) busy.insert(index);
  }
  return busy;
}

Refusal CheckTurn(const Slot& slot, const std::set<int>& busy, int at_once) {
  const int others = static_cast<int>(busy.size()) - (busy.contains(slot.index) ? 1 : 0);
  if (others < at_once) return std::nullopt;
  const int first = *busy.begin() == slot.index ? *std::next(busy.begin()) : *busy.begin();
  return Reason{rule::kTurn,
                slot.index,
                "it is to be replaced, and " + std::to_string(others) + " slots are being changed, " +
                    std::to_string(at_once) + " are allowed at a time",
                std::nullopt,
                std::nullopt,
                "the new instance of slot " + std::to_string(first) + " is ready, and the old one gone"};
}

// No second one may run beside it: it makes room first.
void MakeRoom(SlotBoard& board, const Slot& slot, const ActualLrp& lrp, const std::string& why) {
  if (Refusal refusal = CheckLeave(board, slot, lrp)) return board.plan().reasons.push_back(*refusal);
  board.Retire(lrp, {StepKind::kWithdrawn, why});
}

void ServeOn(SlotBoard& board, Slot& slot, const std::string& why) {
  const ActualLrp& lrp = *slot.ordinary;
  if (slot.evacuating) {
    // One of the two has to go: the one that is not ready; both ready: the older.
    const ActualLrp& other = *slot.evacuating;
    const bool older = other.since < lrp.since || (other.since == lrp.since && other.id < lrp.id);
    const bool other_goes = board.Ready(&lrp) ? !board.Ready(&other) || older : false;
    const ActualLrp& goes = other_goes ? other : lrp;
    // It may be the only one that serves some route (simulation seed 47747).
    if (Refusal refusal = CheckRouteFloor(board, slot, goes, {})) return board.plan().reasons.push_back(*refusal);
    board.Retire(goes, {StepKind::kWithdrawn, "its slot has another one that has to go"});
    if (!other_goes) return;
  }
  board.Alter(lrp, {StepKind::kEvacuating, why}, [](ActualLrp& row) { row.presence = Presence::kEvacuating; });
}

bool HasToGo(const SlotBoard& board, const ActualLrp* lrp, bool some_cell_drains) {
  return lrp && (lrp->retire_asked || (some_cell_drains && board.CellDrains(*lrp))) && MayRun(*lrp) &&
         !board.Lost(*lrp);
}

// NextSlots takes it first, or says why not; while the roll stands still, it waits.
void LeaveToRoll(SlotBoard& board, const Slot& slot) {
  const Roll& roll = *board.roll();
  if (board.Moves()) return;
  board.plan().reasons.push_back({rule::kRetireWaits, slot.index,
                                  "it was asked to go, which the roll to " + Goal(roll).str() +
                                      " does, and that is " + std::string(Name(roll.state)),
                                  roll.clock_stopped_at, std::nullopt, WhatMovesTheRoll(roll)});
}

void GiveUp(SlotBoard& board, Slot& slot, std::set<int>& busy) {
  const bool in_the_way = IsInTheWay(board, slot);
  const ActualLrp& lrp = in_the_way ? *slot.evacuating : *slot.ordinary;
  const bool drains = board.CellDrains(lrp);
  const std::string why = drains ? "its cell " + lrp.cell_id.str() + " drains" : "it was asked to go";
  if (!drains && LeftToRoll(board.app(), lrp)) return LeaveToRoll(board, slot);
  // It serves no traffic, so it is removed and started again.
  if (!lrp.routable) return board.Retire(lrp, {StepKind::kWithdrawn, why});
  if (!drains && board.Moves() && board.IsNewcomer(slot.surge)) return;  // the hand-over takes it
  const bool never_twice = NeverTwice(board);
  const int at_once = never_twice || !drains ? RetiredAtOnce(board.strategy(), board.limits()) : board.instances();
  if (Refusal refusal = CheckTurn(slot, busy, at_once)) return board.plan().reasons.push_back(*refusal);
  busy.insert(slot.index);
  never_twice || (!drains && !board.CanSurge()) ? MakeRoom(board, slot, lrp, why) : ServeOn(board, slot, why);
}

}  // namespace

void Evacuate(SlotBoard& board) {
  const bool some_cell_drains =
      std::ranges::any_of(board.edit().moment().cells, [](const auto& cell) { return cell.second.draining; });
  std::set<int> going;
  for (const auto& [index, slot] : board.slots()) {
    if (index >= board.instances()) break;  // trimmed anyway
    if (IsInTheWay(board, slot) || HasToGo(board, slot.ordinary, some_cell_drains)) going.insert(index);
  }
  if (going.empty()) return;
  std::set<int> busy = BusySlots(board);
  for (const int index : going) GiveUp(board, board.slots().at(index), busy);
}

}  // namespace baton
