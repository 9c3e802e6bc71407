#include "orchestrator/app/cells/cell_report_call.h"

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

Call CallFor(const CellId& cell, const CellReport& report, std::shared_ptr<ReportedStart> reported,
             std::function<Status(const AppState&)> may) {
  const InstanceRef ref{report.id, report.instance_guid, cell};
  Call call;
  call.actor = cell.str();
  std::visit(Overloaded{[&](const Claimed&) {
                          call.name = "claim";
                          call.instance = report.id;
                          call.decide = [ref](AppEdit& edit) { return DecideClaim(edit, ref); };
                        },
                        [&](const Started& started) {
                          call.name = "start";
                          call.instance = report.id;
                          call.with_definition = true;
                          const StartReport start{ref, started.net_info, started.routable, started.zone, started.labels};
                          call.decide = [start](AppEdit& edit) { return DecideStart(edit, start); };
                        },
                        [&](const Crashed& crashed) {
                          call.name = "crash";
                          call.decide = [ref, reason = crashed.reason](AppEdit& edit) {
                            return DecideCrash(edit, ref, reason);
                          };
                        },
                        [&](const Stopped&) {
                          call.name = "stopped";
                          call.decide = [ref](AppEdit& edit) { return DecideStopped(edit, ref); };
                        },
                        [&](const Rejected& rejected) {
                          call.name = "reject";
                          call.decide = [ref, reason = rejected.reason](AppEdit& edit) {
                            return DecideRejected(edit, ref, reason);
                          };
                        }},
             report.fact);
  call.decide = [report, cell, reported = std::move(reported), may = std::move(may), decide = std::move(call.decide)](AppEdit& edit) -> Status {
    *reported = {};
    if (const auto row = edit.state().actuals.find(report.id); row != edit.state().actuals.end()) {
      const ActualLrp& lrp = row->second;
      reported->over = IsOver(lrp, report.instance_guid);
      reported->next_here = reported->over && MayRun(lrp) && lrp.cell_id == cell;
    }
    if (IsKnown(edit.state(), report)) return Done{};
    const Status allowed = may ? may(edit.state()) : Status(Done{});
    const Status status = allowed ? decide(edit) : allowed;
    reported->changed = edit.HasChanges();
    return status;
  };
  return call;
}

}  // namespace baton
