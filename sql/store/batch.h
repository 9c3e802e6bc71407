// One transaction for a batch of calls: fence, lock their apps and read all rows; decide each in
// memory; write all changes set-based; commit; answer each. The rules are in the calls; here is only the order.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "orchestrator/model/moment.h"
#include "orchestrator/ports/router_names.h"
#include "orchestrator/ports/store.h"
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

// The listener is told of every app that changed, before the calls are answered. Neither answers the calls itself.
// `routers` null: every name counts. `events` null: nobody wants them here. `unpublished`, kept from one batch to the
// next: the apps of a batch whose commit is in doubt. They are told whole with the next one that is committed, even if
// it has no calls. `again`: another try of the same calls. Then, and where a commit is in doubt, which may still be
// under way, it locks the instances as well.
BatchResult RunBatch(Session& session, const Leadership& leadership, IdSource& ids, const AppCommands& calls,
                     std::set<ProcessGuid>& unpublished, CommitListener* listener, const RouterNames* routers,
                     CommittedEvents* events, bool again = false);

}  // namespace baton
