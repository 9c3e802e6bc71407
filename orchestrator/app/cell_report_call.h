// What a cell's report asks of the rows.
#pragma once

#include "orchestrator/app/cell_link.h"
#include "orchestrator/app/roller.h"

namespace baton {

// The call that `report` of `cell` stands for; its guid and what is to be done afterwards are the caller's.
Call CallFor(const CellId& cell, const CellReport& report);

}  // namespace baton
