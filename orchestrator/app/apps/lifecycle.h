// What cells and routers report about one instance. Pure. A report may be late, repeated, or sent by a cell that does
// not (or no longer) own the instance: it then changes nothing, and the sender gets an error that says so.
#pragma once

#include <string>

#include "orchestrator/base/result.h"
#include "orchestrator/model/app_edit.h"

namespace baton {

// Which start of which instance is meant.
struct InstanceRef {
  ActualId id;
  InstanceGuid instance_guid;
  CellId cell_id;
};

// Each: NOT_FOUND if the row is gone, FAILED_PRECONDITION if another cell owns it or its state does not allow the
// change. A repeated report succeeds without changes. An ended start cannot claim its row again, even if the row is
// UNCLAIMED: its late "started" would make the row RUNNING although no process runs.
Status DecideClaim(AppEdit& edit, const InstanceRef& ref);

struct StartReport {
  InstanceRef ref;
  NetInfo net_info;
  bool routable = false;
  std::string zone;
  Labels labels = {};
};
// FAILED_PRECONDITION also where the ports are not the definition's. Needs the row's definition.
Status DecideStart(AppEdit& edit, const StartReport& report);

// Needs all rows of the app: a crash may be a failed attempt of the open roll.
Status DecideCrash(AppEdit& edit, const InstanceRef& ref, const std::string& reason);

// It runs no more, without having crashed: ordered, or by a cell's own decision.
Status DecideStopped(AppEdit& edit, const InstanceRef& ref);

// The cell says that it does not have it, though the row says that it runs there (a rebooted machine, a lost order).
// Not the version's fault: it is started again elsewhere, and no crash is counted.
Status DecideForgotten(AppEdit& edit, const InstanceRef& ref);

// No cell takes it, or the cell that was asked cannot. Only UNCLAIMED rows.
Status DecidePlacementError(AppEdit& edit, const ActualId& id, const std::string& error);

// A route consumer has applied the endpoint, or has no more connections to it.
Status DecideRouteApplied(AppEdit& edit, const ActualId& id, const InstanceGuid& instance, const ConsumerId& consumer);
Status DecideRouteDrained(AppEdit& edit, const ActualId& id, const ConsumerId& consumer);

// Diego's limit for crash reasons and placement errors.
inline constexpr std::size_t kReasonBytesMax = 1024;
std::string CutReason(std::string reason);

}  // namespace baton
