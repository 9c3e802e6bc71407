// The store, as the use cases need it: calls that read, decide and write one app's rows in one fenced transaction.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "orchestrator/base/result.h"
#include "orchestrator/model/app_edit.h"

namespace baton {

// What a call waits behind where many wait.
enum class Urgency {
  kRolls,    // it drives rolls: a pass of the planner, a report of a cell or a router, a verdict
  kCallers,  // somebody's wish
};

// What a call left of its app, as it is committed: tags are raised, and the planner, where it is driven
// (app/leader/roller.h), has done its part.
struct Decided {
  const AppState& state;
  const Moment& moment;
  const AppChanges& changes;
  bool changed = false;  // by what was asked, whatever the planner did after it
};

// One call's change to one app. `decide` is pure apart from what it leaves in its own closure; it may run again when
// its transaction is tried again, and must then leave the same.
struct Call {
  std::string name;  // for metrics and logs: "update_desired_lrp"
  ProcessGuid guid;
  // Set: only this row is read and locked, beside nothing. Not set: all rows of the app.
  std::optional<ActualId> instance;
  bool with_definition = false;  // of `instance`: read as well, without a lock, as it never changes
  std::string actor;
  std::string request_id;
  bool anew = false;     // the listener is told all of the app's rows, whether anything changed or not
  Status allowed = Done{};  // not so: it is answered with this at once
  // Of somebody's wish, and so kept: the call as it was asked, "baton.v1.DesiredLRPs/UpdateDesiredLRP". Empty: not
  // kept.
  std::string audited_as;
  Urgency urgency = Urgency::kRolls;
  // Whether nobody waits for its answer any more: asked while it waits, from any thread; then it is not done. Empty:
  // it is done in any case.
  std::function<bool()> abandoned;

  // What it writes takes the place of all that is stored of the wish, or removes it: where of that something cannot be
  // read, it is decided as if there were nothing in its place, and written anew with the rest (Mended in
  // sql/read/app_reader.h).
  bool mends = false;

  std::function<Status(AppEdit&)> decide;
  // After `decide`, where it was not refused: what the answer tells of.
  std::function<void(const Decided&)> read_back;

  // With a key: a repeated call answers as the first did. `encode` gives the answer after `decide`; `replay` gets it
  // back instead of `decide` being run, and says whether it can be read.
  std::string idempotency_key;
  std::string request_hash;
  std::function<std::string()> encode;
  std::function<bool(const std::string&)> replay;

  // Once, after the commit or the refusal; on a thread of the store: brief, and never blocking.
  std::function<void(const Status&)> done;
};

// What a commit did to one app, told to whoever keeps something in memory. In commit order for each app.
struct Committed {
  const ProcessGuid& guid;
  const AppChanges& changes;
  const AppState& after;  // only the one instance where the call asked for no more
  bool whole = true;
  // A commit before this one may not have been told, as its answer was lost: not `changes` count, but all of `after`.
  bool anew = false;
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
  virtual void Submit(Call call) = 0;
};

}  // namespace baton
