// One transaction for a batch of calls: fence, lock their apps and read all rows; decide each in
// memory; write all changes set-based; commit; answer each. The rules are in the calls; here is only the order.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "orchestrator/model/moment.h"
#include "orchestrator/ports/router_names.h"
#include "orchestrator/ports/store.h"
#include "sql/read/known_apps.h"
#include "sql/store/committed_events.h"
#include "sql/store/fence.h"

namespace baton {

enum class BatchEnd {
  kCommitted,   // every call has its own outcome
  kNotLeading,  // the fence found no row: nothing was done
  kFailed,      // nothing was committed; `error` says why
};

struct BatchResult {
  BatchEnd end = BatchEnd::kFailed;
  SessionError error;
  std::vector<Status> outcomes;  // of each call, where it was committed
};

// Whom it works with; null: nobody.
struct BatchPeers {
  CommitListener* listener = nullptr;    // told of every app that changed, before the calls are answered
  const RouterNames* routers = nullptr;  // of none, every name counts
  CommittedEvents* events = nullptr;     // who follows them reads the table otherwise
  KnownApps* known = nullptr;            // all rows are read each time otherwise
};

// Nobody answers the calls here. `unpublished`, kept from one batch to the next: the apps of a batch whose commit is in
// doubt. They are told whole with the next one that is committed, even if it has no calls. `again`: another try of the
// same calls. Then, and where a commit is in doubt, which may still be under way, it locks the instances as well, and
// reads all of them.
BatchResult RunBatch(Session& session, const Leadership& leadership, IdSource& ids, const AppCommands& calls,
                     std::set<ProcessGuid>& unpublished, const BatchPeers& peers, bool again = false);

}  // namespace baton
