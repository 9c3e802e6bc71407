// What a cell's report asks of the rows.
#pragma once

#include <functional>
#include <memory>

#include "orchestrator/app/cells/cell_link.h"
#include "orchestrator/app/leader/roller.h"

namespace baton {

// What the row says of the start that was reported, when it is decided.
struct ReportedStart {
  bool over = false;       // it was over before
  bool next_here = false;  // and the next one of its row is on the same cell
  bool changed = false;    // by the report; false: it was so already
};

// Whether it says that a start is over, or never was.
bool EndsHere(const CellReport& report);
// Whether it does, and the rows have that already: it was reported before, or the row is gone.
bool IsKnown(const AppState& app, const CellReport& report);

// The call that `report` of `cell` stands for; its guid and what is to be done afterwards are the caller's. What is known
// changes nothing, and is no reason to refuse it. `may`: whether the cell may say it, of the rows as they are decided about; empty: it
// may.
Call CallFor(const CellId& cell, const CellReport& report, std::shared_ptr<ReportedStart> reported,
             std::function<Status(const AppState&)> may = {});

}  // namespace baton
