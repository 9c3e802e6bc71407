// What a cell's report asks of the rows.
#pragma once

#include "orchestrator/app/cells/cell_link.h"
#include "orchestrator/ports/app_command.h"

namespace baton {

// What the row says of the start that was reported, when it is decided.
struct ReportedStart {
  bool over = false;       // it was over before
  bool next_here = false;  // and the next one of its row is on the same cell
  bool changed = false;    // by the report; false: it was so already
};

// Whether it says that a start is over, or never was. That needs all rows of the app; what else is reported, the
// instance's alone.
bool EndsHere(const CellReport& report);
// Whether it does, and the rows have that already: it was reported before, or the row is gone.
bool IsKnown(const AppState& app, const CellReport& report);

// What is known changes nothing, and is no reason to refuse it.
class CellReportCommand : public AppCommand {
 public:
  CellReportCommand(const ProcessGuid& guid, const CellId& cell, const CellReport& report);
  Status Decide(AppEdit& edit) final;

 protected:
  const CellId& cell() const { return cell_; }
  const CellReport& report() const { return report_; }
  const ReportedStart& reported() const { return reported_; }

 private:
  // Whether the cell may say it, of the rows as they are decided about.
  virtual Status May(const AppState& app) const = 0;

  const CellId cell_;
  const CellReport report_;
  ReportedStart reported_;
};

}  // namespace baton
