// What a cell's report asks of the rows.
#pragma once

#include <memory>

#include "orchestrator/app/cell_link.h"
#include "orchestrator/app/roller.h"

namespace baton {

// The call that `report` of `cell` stands for; its guid and what is to be done afterwards are the caller's. `over`: by
// the row, the reported start was over before.
Call CallFor(const CellId& cell, const CellReport& report, std::shared_ptr<bool> over);

}  // namespace baton
