// What is asked of one app. A class for each wish and each report: it decides from the app's rows in one fenced
// transaction, and is answered from what it left of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/base/time.h"
#include "orchestrator/model/app_edit.h"
#include "orchestrator/model/calls/trace_parent.h"

namespace baton {

// What a command waits behind where many wait.
enum class Priority {
  kRolls,    // it drives rolls: a pass of the planner, a report of a cell or a router, a verdict
  kCallers,  // somebody's wish
};

// What the store has to know of a command before it runs it.
struct CommandHeader {
  std::string name;  // for metrics and logs: "update_desired_lrp"
  ProcessGuid guid;
  // Set: only this row is read and locked, beside nothing. Not set: all rows of the app.
  std::optional<ActualId> instance;
  bool with_definition = false;  // of `instance`: read as well, without a lock, as it never changes
  std::string actor;
  std::string request_id;
  TraceParent trace = {};      // of the call
  bool full_snapshot = false;  // the listener is told all of the app's rows, whether anything changed or not
  // Of somebody's wish, and so kept: the call as it was asked, "baton.v1.DesiredLRPs/UpdateDesiredLRP". Empty: not
  // kept.
  std::string audited_as;
  Priority priority = Priority::kRolls;
  // How long its caller waits for the answer: the time that was left to the call when it came.
  Duration patience = Duration::max();

  // What it writes takes the place of all that is stored of the wish, or removes it: where of that something cannot be
  // read, it is decided as if there were nothing in its place, and written anew with the rest (Mended in
  // sql/read/app_reader.h).
  bool mends = false;

  // With a key: a repeated command answers as the first did.
  std::string idempotency_key;
  std::string request_hash;
};

// What a command left of its app, as it is committed: tags are raised, and the planner, where it is driven
// (app/leader/roller.h), has done its part.
struct Decided {
  const AppState& state;
  const Moment& moment;
  const AppChanges& changes;
  bool changed = false;  // by what was asked, whatever the planner did after it
};

// The functions are called in this order, on a thread of the store; `Abandoned` from any thread, and
// `End` of what is refused at once on the submitter's.
class AppCommand {
 public:
  explicit AppCommand(CommandHeader header) : header_(std::move(header)) {}
  virtual ~AppCommand() = default;
  AppCommand(const AppCommand&) = delete;
  AppCommand& operator=(const AppCommand&) = delete;

  const CommandHeader& header() const { return header_; }

  // Whether nobody waits for its answer any more: asked while it waits; then it is not done.
  virtual bool Abandoned() const { return false; }
  // With a key that is known: takes the answer of the first in place of deciding. False: it cannot be read.
  virtual bool Replay(const std::string& /*answer*/) { return false; }
  // Pure apart from what it leaves in the command itself. It may run again when its transaction is tried again, and
  // must then leave the same.
  virtual Status Decide(AppEdit& edit) = 0;
  // Where it was not refused: makes the answer.
  virtual void Answer(const Decided& /*decided*/) {}
  // With a key: the answer as it is kept for `Replay`.
  virtual std::string Encode() { return {}; }
  // Once, after the commit or the refusal: brief, and never blocking.
  virtual void End(const Status& /*status*/) {}

 private:
  const CommandHeader header_;
};

using AppCommands = std::vector<std::unique_ptr<AppCommand>>;

// A command with something before or after it.
class WrappedCommand : public AppCommand {
 public:
  bool Abandoned() const override { return inner_->Abandoned(); }
  bool Replay(const std::string& answer) override { return inner_->Replay(answer); }
  Status Decide(AppEdit& edit) override { return inner_->Decide(edit); }
  void Answer(const Decided& decided) override { inner_->Answer(decided); }
  std::string Encode() override { return inner_->Encode(); }
  void End(const Status& status) override { inner_->End(status); }

 protected:
  // `inner` by reference: `header` may be made from it.
  WrappedCommand(CommandHeader header, std::unique_ptr<AppCommand>&& inner)
      : AppCommand(std::move(header)), inner_(std::move(inner)) {}
  std::unique_ptr<AppCommand> inner_;
};

}  // namespace baton
