// The planner's phases, in the order in which a pass takes them (rolls.md, "The planner"). Each walks the slots once
// and takes every step that its guards allow; what they refuse is noted as a reason and skipped, never waited for
// while another slot could go.
#pragma once

#include <string>

#include "orchestrator/roll/board.h"
#include "orchestrator/roll/law.h"

namespace baton {

// Lost and returned cells: SUSPECT and back.
void FollowCells(Board& board);
// Newcomers that took too long; newcomers in their place that are ready for the first time.
void JudgeNewcomers(Board& board);
// (0) Newcomers that are no longer wanted, at every index.
void Withdraw(Board& board);
// Instances on draining cells, and those that RetireInstances asked to replace.
void Evacuate(Board& board);
// (1) Slots that serve nobody.
void Repair(Board& board);
// (2) Newcomers that are ready take their slots.
void HandOver(Board& board);
// (3) Old instances that have drained are stopped; those that are gone are forgotten.
void StopDrained(Board& board);
// A stage is reached, or its wait has ended. True: the roll changed its state, and the pass restarts.
bool Stages(Board& board);
// (4) Next slots: those with a RetireInstances request first, then the lowest index first.
void NextSlots(Board& board);
// (5) Instances above the count.
void Trim(Board& board);
// What may be placed now.
void OfferPlacement(Board& board);

// The law's next state, for an event that the planner only asks for where the law takes it. Always true.
bool Apply(Board& board, RollEvent event, const std::string& reason);
// The roll as a whole: deadlines and failures. True: it changed its state, and the pass restarts.
bool React(Board& board);
// Done? True if the roll was closed. Without a roll: the active definition becomes healthy when every slot is ready.
bool Settle(Board& board);
// Stops or restarts the roll's clocks. True if a restarted clock has already expired: the next round handles the
// expiry.
bool KeepClocks(Board& board);
// A slot was newly proven: records the proof, and resets the progress deadline.
void MarkProven(Board& board);
// What each slot waits for that no phase has said yet.
void ExplainWaiting(Board& board);

}  // namespace baton
