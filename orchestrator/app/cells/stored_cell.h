// The rows of one cell.
#pragma once

#include <set>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/fleet/cell.h"
#include "orchestrator/ports/reader.h"

namespace baton {

struct StoredCell {
  CellRecord cell;
  std::vector<ActualRead> rows;
  std::set<ActualId> unreadable;  // rows that are there, and that convergence names
};

// INTERNAL where it is not registered.
Result<StoredCell> ReadStoredCell(Reader& reader, const CellId& id);

}  // namespace baton
