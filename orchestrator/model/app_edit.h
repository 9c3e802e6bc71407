// Unit of work: one call's changes to one app's rows. Decisions read and write rows through it. It keeps the old
// values, bumps modification tags, and in the end lists the rows and events to write. A change back to the old value
// writes nothing; a refused call is undone.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "orchestrator/model/app_state.h"
#include "orchestrator/model/calls/trace_parent.h"
#include "orchestrator/model/event.h"
#include "orchestrator/model/moment.h"

namespace baton {

// What a commit writes for one app. Rows themselves are in the AppState.
struct AppChanges {
  bool desired = false;  // written, or deleted if the state has none
  bool roll = false;     // likewise
  std::vector<Roll> closed_rolls;
  std::vector<RollStep> steps;
  // Calls that made steps: from that one on, what the roll does is of the call's trace. For logs; not stored.
  struct Cause {
    std::size_t first_step = 0;
    TraceParent trace;
  };
  std::vector<Cause> causes;
  std::map<DefinitionKey, std::string> new_definitions;  // with their run info
  std::set<DefinitionKey> changed_definitions;           // proven_at, pinned
  std::set<ActualId> inserted;
  std::set<ActualId> changed;
  std::set<ActualId> removed;
  std::vector<Event> events;
  bool returned = false;  // a roll was opened back to a definition that was active before

  bool empty() const;
  // All of it is a caller's doing, who is of this trace or of none.
  void CausedBy(const TraceParent& trace);
  // Takes a later call's changes of the same app into this one, as one commit writes them.
  void Merge(AppChanges later);
};

class AppEdit {
 public:
  // `actor` is who asked: written into the steps.
  AppEdit(AppState& state, const Moment& moment, std::string actor);

  const AppState& state() const { return state_; }
  const Moment& moment() const { return moment_; }
  TimePoint now() const { return moment_.now; }
  const std::string& actor() const { return actor_; }
  // Steps are logged under this name from here on; gives the name until here.
  std::string ActAs(std::string actor) { return std::exchange(actor_, std::move(actor)); }

  // Instances. References stay valid until the row is removed.
  ActualLrp& Insert(ActualLrp lrp);  // id, tag and `since` are given here
  ActualLrp& Change(const ActualId& id);
  void Remove(const ActualId& id);

  // In place of none, or of one that this edit inserted.
  void InsertDefinition(std::int64_t incarnation, Definition definition, std::string run_info);
  Definition& ChangeDefinition(const DefinitionKey& key);
  bool HasInserted(const DefinitionKey& key) const { return memory_.new_definitions.contains(key); }

  void Desire(DesiredLrp desired);  // the tag is given here
  DesiredLrp& ChangeDesired();
  void RemoveDesired();

  // The id is given here; logs the step. `returns`: its target was active before.
  void OpenRoll(Roll roll, bool returns = false);
  Roll& ChangeRoll();
  // The roll moves to the history. `state` is a terminal one.
  void CloseRoll(RollState state, std::string reason);
  // Failed attempts so far count no more: a retry, or a change of direction.
  void CountFailuresAnew();
  // Logs a step of the open roll; roll id, sequence, time and actor are given here.
  void LogStep(RollStep step);

  // The planner's own, which it may keep for its next pass.
  QuietSlots& quiet() { return state_.quiet; }

  // The rows of the present incarnation as they were before this edit.
  std::vector<const ActualLrp*> ActualsBefore() const;
  const std::optional<DesiredLrp>& desired_before() const { return desired_before_; }

  // Whether anything is other than before.
  bool HasChanges() const;
  // What was asked is decided: what changes from here on is the planner's doing.
  void EndDecision() { changed_by_decision_ = HasChanges(); }
  // Whether that changed anything; before Finish.
  bool ChangedByDecision() const { return changed_by_decision_.value_or(HasChanges()); }

  // Ends the edit. Rows that are as they were are forgotten, the others get their new tag, events are made.
  AppChanges Finish();
  // Puts everything back.
  void Undo();

 private:
  // What this edit has done so far.
  struct Memory {
    std::map<ActualId, ActualLrp> actuals_before;  // changed and removed rows
    std::set<ActualId> inserted;
    std::map<DefinitionKey, Definition> definitions_before;
    std::map<DefinitionKey, std::string> new_definitions;
    bool desired_touched = false;
    bool roll_touched = false;
    bool returned = false;
    std::optional<Roll> roll_before;
    std::map<int, std::optional<SlotLog>> slot_logs_before;      // of the slots that steps were logged of
    std::optional<std::map<int, SlotLog>> all_slot_logs_before;  // as they were when all of them were changed
    std::vector<PastRoll> past_rolls_before;
    std::vector<Roll> opened_rolls;
    std::vector<Roll> closed_rolls;
    std::vector<RollStep> steps;
  };

  void RememberRoll();
  void RememberSlotLog(int index);
  void RememberAllSlotLogs();
  void RestoreSlotLogs();
  void FinishDesired(AppChanges& changes);
  void FinishRoll(AppChanges& changes);
  // As this edit leaves it, open or closed.
  std::optional<Roll> RollAfter(const RollId& id) const;
  void FinishActuals(AppChanges& changes);
  // Once more: whoever changed a row may have done so after a pass had looked at it.
  void TouchAll();
  void NameDomain(std::vector<Event>& events) const;

  AppState& state_;
  const Moment& moment_;
  std::string actor_;
  std::optional<DesiredLrp> desired_before_;
  std::optional<bool> changed_by_decision_;
  Memory memory_;
};

}  // namespace baton
