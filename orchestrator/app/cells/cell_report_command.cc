#include "orchestrator/app/cells/cell_report_command.h"

#include <utility>
#include <variant>

#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/app/cells/rejection.h"

namespace baton {
namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

CommandHeader HeaderFor(const ProcessGuid& guid, const CellId& cell, const CellReport& report) {
  CommandHeader header{.guid = guid, .actor = cell.str()};
  header.name = std::visit(Overloaded{[](const Claimed&) { return "claim"; }, [](const Started&) { return "start"; },
                                      [](const Crashed&) { return "crash"; }, [](const Stopped&) { return "stopped"; },
                                      [](const Rejected&) { return "reject"; }},
                           report.fact);
  if (!EndsHere(report)) header.instance = report.id;
  header.with_definition = std::holds_alternative<Started>(report.fact);
  return header;
}

Status DecideFact(AppEdit& edit, const InstanceRef& ref, const CellReport& report) {
  return std::visit(
      Overloaded{[&](const Claimed&) { return DecideClaim(edit, ref); },
                 [&](const Started& started) {
                   return DecideStart(edit, {ref, started.net_info, started.routable, started.zone, started.labels});
                 },
                 [&](const Crashed& crashed) { return DecideCrash(edit, ref, crashed.reason); },
                 [&](const Stopped&) { return DecideStopped(edit, ref); },
                 [&](const Rejected& rejected) { return DecideRejected(edit, ref, rejected.reason); }},
      report.fact);
}

// What schema 1.x said of a row meanwhile may have made an ended start run once more.
bool IsOver(const ActualLrp& lrp, const InstanceGuid& start) {
  return HasEnded(lrp, start) && lrp.instance_guid != start;
}

}  // namespace

bool EndsHere(const CellReport& report) {
  return std::holds_alternative<Crashed>(report.fact) || std::holds_alternative<Stopped>(report.fact) ||
         std::holds_alternative<Rejected>(report.fact);
}

bool IsKnown(const AppState& app, const CellReport& report) {
  if (!EndsHere(report)) return false;
  const auto row = app.actuals.find(report.id);
  return row == app.actuals.end() || IsOver(row->second, report.instance_guid);
}

CellReportCommand::CellReportCommand(const ProcessGuid& guid, const CellId& cell, const CellReport& report)
    : AppCommand(HeaderFor(guid, cell, report)), cell_(cell), report_(report) {}

Status CellReportCommand::Decide(AppEdit& edit) {
  reported_ = {};
  if (const auto row = edit.state().actuals.find(report_.id); row != edit.state().actuals.end()) {
    const ActualLrp& lrp = row->second;
    reported_.over = IsOver(lrp, report_.instance_guid);
    reported_.next_here = reported_.over && MayRun(lrp) && lrp.cell_id == cell_;
  }
  if (IsKnown(edit.state(), report_)) return Done{};
  Status status = May(edit.state());
  if (status) status = DecideFact(edit, {report_.id, report_.instance_guid, cell_}, report_);
  reported_.changed = edit.HasChanges();
  return status;
}

}  // namespace baton
