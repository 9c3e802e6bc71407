// Stops on a roll's way (strategy.stages).
#pragma once

#include <optional>
#include <string>

#include "orchestrator/roll/board.h"

namespace baton {

// The stage that the roll goes to or waits at; nothing: none is left, or it is no roll that has stages (a first start,
// a rollback).
const Stage* NextStage(const Board& board);

// "stage 2 of 3": that one.
std::string StageName(const Board& board);

// How many slots may run the target before the next stage is passed; nothing: all of them.
std::optional<int> StageLimit(const Board& board);

}  // namespace baton
