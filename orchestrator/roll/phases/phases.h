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
// (0) Newcomers that are not wanted any more, at every index.
void Withdraw(Board& board);
// Instances on cells that drain, and those that somebody asked to have replaced.
void Evacuate(Board& board);
// (1) Slots that serve nobody.
void Repair(Board& board);
// (2) Newcomers that are ready take their slots.
void HandOver(Board& board);
// (3) Old instances that have drained are stopped; those that are gone are forgotten.
void StopDrained(Board& board);
// A stage is reached, or its wait is over. True: the roll changed its state, and the pass begins anew.
bool Stages(Board& board);
// (4) Next slots, those first that somebody asked to have replaced, then the lowest index first.
void NextSlots(Board& board);
// (5) Instances above the count.
void Trim(Board& board);
// What may be placed now.
void OfferPlacement(Board& board);

// The law's next state, for an event that the planner only asks for where the law takes it. Always true.
bool Apply(Board& board, RollEvent event, const std::string& reason);
// The roll as a whole: deadlines and failures. True if it changed its state: the pass begins anew.
bool React(Board& board);
// Done? True if the roll was closed. Without a roll: the active definition becomes healthy when every slot is ready.
bool Settle(Board& board);
// The roll's clocks stand or run from now on. True if one that runs again is over already: a round that begins anew says
// what comes of it.
bool KeepClocks(Board& board);
// A slot was newly proven: proof, and the deadline anew.
void MarkProven(Board& board);
// What each slot waits for that no phase has said yet.
void ExplainWaiting(Board& board);

}  // namespace baton
