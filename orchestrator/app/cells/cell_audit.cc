#include "orchestrator/app/cells/cell_audit.h"

#include <map>
#include <utility>

namespace baton {
namespace {

// One that is none costs a read of its app.
constexpr int kSuspectsOfCell = 20;
constexpr std::size_t kSuspectsMost = 1000;
constexpr int kCellsAtOnce = 20;  // the loop has others to serve

}  // namespace

struct CellAudit::Search {
  std::vector<CellId> cells;  // yet to be looked at, from the last one on
  std::set<ProcessGuid> unread;
  std::map<CellId, int> of_cell;
  Rows found;
  Done done;
};

void CellAudit::Begin() {
  loop_.Post([this] {
    placer_.BeginAudit();
    unknown_.clear();
  });
}

CellAudit::Rows CellAudit::RowsOf(const std::vector<AppState>& apps) {
  Rows rows;
  for (const AppState& app : apps) {
    for (const auto& [id, lrp] : app.actuals) {
      if (!lrp.cell_id.empty()) rows.push_back({lrp.cell_id, id, app.guid});
    }
  }
  return rows;
}

void CellAudit::See(Rows rows) {
  loop_.Post([this, rows = std::move(rows)] {
    for (const Fleet::Holding& row : rows) {
      // What a cell that is not here runs is seen when it comes.
      if (!placer_.See(row.cell, row.id) && placer_.IsOpen(row.cell) && unknown_.size() < kSuspectsMost)
        unknown_.push_back(row);
    }
  });
}

void CellAudit::Suspects(std::set<ProcessGuid> unread, Done done) {
  loop_.Post([this, unread = std::move(unread), done = std::move(done)] {
    SearchSome(std::make_shared<Search>(Search{
        .cells = placer_.fleet().Cells(), .unread = unread, .found = std::exchange(unknown_, {}), .done = done}));
  });
}

void CellAudit::SearchSome(const std::shared_ptr<Search>& search) {
  for (int i = 0; i < kCellsAtOnce && !search->cells.empty() && search->found.size() < kSuspectsMost; ++i) {
    const CellId cell = std::move(search->cells.back());
    search->cells.pop_back();
    if (!placer_.IsOpen(cell)) continue;
    for (Fleet::Holding& one : placer_.fleet().UnseenOf(cell)) {
      if (IsStarting(one) || search->unread.contains(one.guid) || ++search->of_cell[cell] > kSuspectsOfCell) continue;
      search->found.push_back(std::move(one));
    }
  }
  if (search->cells.empty() || search->found.size() >= kSuspectsMost) return search->done(std::move(search->found));
  loop_.Post([this, search] { SearchSome(search); });
}

void CellAudit::Compare(Rows suspects, const AppState& app, bool ask, Done done) {
  std::vector<std::pair<Fleet::Holding, bool>> by_rows;
  for (Fleet::Holding& one : suspects) {
    const auto at = app.actuals.find(one.id);
    const bool there = at != app.actuals.end() && at->second.cell_id == one.cell;
    by_rows.emplace_back(std::move(one), there);
  }
  loop_.Post([this, by_rows = std::move(by_rows), ask, done = std::move(done)] {
    Rows differ;
    for (const auto& [one, there] : by_rows) {
      const bool held = placer_.fleet().HolderOf(one.cell, one.id) != nullptr;
      // Closed: it was asked because of another one, or is away.
      if (there == held || IsStarting(one) || !placer_.IsOpen(one.cell)) continue;
      if (ask) AskCell(one, there);
      differ.push_back(one);
    }
    done(std::move(differ));
  });
}

void CellAudit::AskCell(const Fleet::Holding& differs, bool by_rows) {
  const std::string why = by_rows ? "a row says that it runs there" : "no row says that it runs there";
  log_.Warn("cell_out_of_step", {{"cell", differs.cell.str()},
                                 {"app", differs.guid.str()},
                                 {"actual_id", differs.id.str()},
                                 {"reason", why + ", and the cell's own reports say otherwise"}});
  ask_(differs.cell, "say again what runs there: of actual_id " + differs.id.str() + " " + why);
}

}  // namespace baton
