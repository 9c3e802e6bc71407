// Stops on a roll's way (strategy.stages).
#pragma once

#include <optional>
#include <string>

#include "orchestrator/roll/slot_board.h"

namespace baton {

// The stage that the roll goes to or waits at; nothing: none is left, or it is no roll that has stages (a first start,
// a rollback).
const Stage* NextStage(const SlotBoard& board);

// "stage 2 of 3": that one.
std::string StageName(const SlotBoard& board);

// How many slots may run the target before the next stage is passed; nothing: all of them.
std::optional<int> StageLimit(const SlotBoard& board);

}  // namespace baton
