#include "orchestrator/app/cell_report_call.h"

#include <utility>
#include <variant>

#include "orchestrator/app/lifecycle.h"

namespace baton {
namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace

Call CallFor(const CellId& cell, const CellReport& report, std::shared_ptr<ReportedStart> reported) {
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
                          const StartReport start{ref, started.net_info, started.routable, started.zone};
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
                          call.instance = report.id;
                          call.decide = [id = report.id, reason = rejected.reason](AppEdit& edit) {
                            return DecidePlacementError(edit, id, reason);
                          };
                        }},
             report.fact);
  call.decide = [ref, reported = std::move(reported), decide = std::move(call.decide)](AppEdit& edit) {
    *reported = {};
    if (const auto row = edit.state().actuals.find(ref.id); row != edit.state().actuals.end()) {
      const ActualLrp& lrp = row->second;
      // What schema 1.x said of a row meanwhile may have made it run once more.
      reported->over = HasEnded(lrp, ref.instance_guid) && lrp.instance_guid != ref.instance_guid;
      reported->next_here = reported->over && MayRun(lrp) && lrp.cell_id == ref.cell_id;
    }
    return decide(edit);
  };
  return call;
}

}  // namespace baton
