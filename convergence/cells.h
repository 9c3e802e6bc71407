// Which silent cells are taken for lost, and which cells are given nothing new for a while. Pure.
#pragma once

#include <optional>
#include <vector>

#include "orchestrator/model/convergence/convergence.h"
#include "orchestrator/model/fleet/cell.h"

namespace baton {

// A cell whose lease has ended is declared missing, the longest silent first, as long as the limits allow it and some
// other cell is there. Not at all while every cell is silent: then it is this side that cannot be reached.
CellJudgement JudgeCells(const std::vector<CellRecord>& cells, TimePoint now, const LossLimits& limits);

}  // namespace baton
