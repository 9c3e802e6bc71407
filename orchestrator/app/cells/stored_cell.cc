#include "orchestrator/app/cells/stored_cell.h"

#include <algorithm>
#include <iterator>

namespace baton {
namespace {

constexpr int kPage = 1000;

}  // namespace

Result<StoredCell> ReadStoredCell(Reader& reader, const CellId& id) {
  StoredCell stored;
  const auto cells = reader.ListCells();
  if (!cells) return cells.error();
  const auto found = std::ranges::find(*cells, id, &CellRecord::id);
  if (found == cells->end()) return Error{ErrorKind::kInternal, "it is not registered", {}};
  stored.cell = *found;
  ProcessGuid after_guid;
  ActualId after_id;
  for (bool last = false; !last;) {
    auto page = reader.ListActuals({.cell = id}, after_guid, after_id, kPage);
    if (!page) return page.error();
    std::ranges::move(page->rows, std::back_inserter(stored.rows));
    for (const BrokenRow& broken : page->broken) stored.unreadable.insert(ActualId(broken.key));
    last = page->last;
  }
  return stored;
}

}  // namespace baton
