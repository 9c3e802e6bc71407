// What cells run by the rows, against what the leader knows of it from the cells' own reports. Where the two differ for
// good, a hand in the rows or a fault has done it: a row that was deleted leaves a process that nobody will stop, one
// that was put there says that something runs that nobody has started. The cell is asked to say again what it has; then
// that is compared, and put right.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/app/cells/placer.h"
#include "orchestrator/app/leader/loop.h"
#include "orchestrator/model/app_state.h"
#include "orchestrator/placement/fleet.h"
#include "orchestrator/ports/log.h"

namespace baton {

class CellAudit {
 public:
  // `ask`: ends the stream of a cell that is connected, on the loop.
  using Ask = std::function<void(const CellId&, const std::string& why)>;
  CellAudit(Placer& placer, Loop& loop, Log& log, Ask ask)
      : placer_(placer), loop_(loop), log_(log), ask_(std::move(ask)) {}

  // From any thread; each is done on the loop, one after the other, and what it gives is given there.

  void Begin();
  // Instances as rows have them. From Begin on, of all apps that can be read.
  using Rows = std::vector<Fleet::Holding>;
  static Rows RowsOf(const std::vector<AppState>& apps);
  void See(Rows rows);
  // Where rows and cells seem to differ, some of each cell: something may have begun or ended since the rows were read.
  // `unread`: apps of which nothing was seen.
  using Done = std::function<void(Rows)>;
  void Suspects(std::set<ProcessGuid> unread, Done done);
  // Those of `suspects`, which are all of this app, that its rows, read since, have otherwise than the cell. What is
  // under way at the store may be one. `ask`: their cells are asked.
  void Compare(Rows suspects, const AppState& app, bool ask, Done done);

 private:
  struct Search;
  void SearchSome(const std::shared_ptr<Search>& search);
  // What the cell was told and has not claimed, no row says of it yet.
  bool IsStarting(const Fleet::Holding& one) const { return placer_.HasOrdered(one.cell, one.id); }
  void AskCell(const Fleet::Holding& differs, bool by_rows);

  Placer& placer_;
  Loop& loop_;
  Log& log_;
  const Ask ask_;
  Rows unknown_;  // rows of what the leader does not know to be there
};

}  // namespace baton
