// The store, as the use cases need it: calls that read, decide and write one app's rows in one fenced transaction.
#pragma once

#include <memory>

#include "orchestrator/ports/app_command.h"

namespace baton {

// What a commit did to one app, told to whoever keeps something in memory. In commit order for each app.
struct Committed {
  const ProcessGuid& guid;
  const AppChanges& changes;
  const AppState& after;  // only the one instance where the call asked for no more
  bool whole = true;
  // A commit before this one may not have been told, as its answer was lost: not `changes` count, but all of `after`.
  bool full_snapshot = false;
};

class CommitListener {
 public:
  virtual ~CommitListener() = default;
  // On a thread of the store: brief, and never blocking.
  virtual void OnCommitted(const Committed& committed) = 0;
};

class Store {
 public:
  virtual ~Store() = default;
  // Never blocks. Calls of one app are decided one after the other: those of one urgency in the order of their coming;
  // one that drives rolls may be decided before callers' that came earlier and wait still. That is as if it had come
  // before: none of them was answered, passes of the planner decide from the rows alone, and reports are of one instance.
  // Of those that share a commit callers' are decided first, for the same reasons: a claim is refused where its commit
  // removes the app.
  // Where too many calls wait, or a caller's would wait too long: RESOURCE_EXHAUSTED with a retry hint; no database or
  // no leadership: UNAVAILABLE with one.
  virtual void Submit(std::unique_ptr<AppCommand> command) = 0;
};

}  // namespace baton
