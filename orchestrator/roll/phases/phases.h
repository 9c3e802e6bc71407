// The planner's phases; planner.cc has the order in which a pass takes them (rolls.md, "The planner"). Each walks the
// board's slots once and takes every step that its guards allow; what they refuse is noted as a reason and skipped,
// never waited for while another slot could go.
#pragma once

#include <string>

#include "orchestrator/roll/law.h"
#include "orchestrator/roll/slot_board.h"

namespace baton {

// Lost and returned cells: SUSPECT and back.
void FollowCells(SlotBoard& board);
// Newcomers that took too long; newcomers in their place that are ready for the first time.
void JudgeNewcomers(SlotBoard& board);
// (0) Newcomers that are no longer wanted, at every index.
void Withdraw(SlotBoard& board);
// Instances on draining cells, and those that RetireInstances asked to replace.
void Evacuate(SlotBoard& board);
// (1) Slots that serve nobody.
void Repair(SlotBoard& board);
// (2) Newcomers that are ready take their slots.
void HandOver(SlotBoard& board);
// (3) Old instances that have drained are stopped; those that are gone are forgotten.
void StopDrained(SlotBoard& board);
// A stage is reached, or its wait has ended. True: the roll changed its state, and the pass restarts.
bool Stages(SlotBoard& board);
// (4) Next slots: those with a RetireInstances request first, then the lowest index first.
void NextSlots(SlotBoard& board);
// (5) Instances above the count.
void Trim(SlotBoard& board);
// What may be placed now.
void OfferPlacement(SlotBoard& board);

// The law's next state, for an event that the planner only asks for where the law takes it. Always true.
bool Apply(SlotBoard& board, RollEvent event, const std::string& reason);
// The roll as a whole: deadlines and failures. True: it changed its state, and the pass restarts.
bool React(SlotBoard& board);
// Done? True if the roll was closed. Without a roll: the active definition becomes healthy when every slot is ready.
bool Settle(SlotBoard& board);
// Stops or restarts the roll's clocks. True if a restarted clock has already expired: the next round handles the
// expiry.
bool KeepClocks(SlotBoard& board);
// A slot was newly proven: records the proof, and resets the progress deadline.
void MarkProven(SlotBoard& board);
// What each slot waits for that no phase has said yet.
void ExplainWaiting(SlotBoard& board);

}  // namespace baton
