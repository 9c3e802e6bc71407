#include "schema/legacy/apps/merge.h"

#include <algorithm>

#include "schema/legacy/apps/join.h"

namespace baton {
namespace {

constexpr char kActor[] = "schema 1.x";
constexpr char kWhy[] = "the app was changed in the tables of schema 1.x";

// Tags never go back. Another epoch in 1.x means that its count was reset: that one wins.
ModificationTag Later(const ModificationTag& mine, const ModificationTag& theirs) {
  if (mine.epoch != theirs.epoch) return theirs;
  return {mine.epoch, std::max(mine.index, theirs.index)};
}

bool IsAnotherStart(const ActualLrp& mine, const ActualLrp& theirs) {
  return MayRun(mine) && MayRun(theirs) &&
         (mine.instance_guid != theirs.instance_guid || mine.cell_id != theirs.cell_id);
}

// What 1.x knows of an instance, its domain excepted, which no instance changes.
void Take(ActualLrp& mine, const ActualLrp& theirs) {
  if (!MayRun(mine)) mine.claimed_at = theirs.claimed_at;
  mine.state = theirs.state;
  mine.instance_guid = theirs.instance_guid;
  mine.cell_id = theirs.cell_id;
  mine.net_info = theirs.net_info;
  mine.zone = theirs.zone;
  mine.since = theirs.since;
  mine.crash_count = theirs.crash_count;
  mine.crash_reason = theirs.crash_reason;
  mine.placement_error = theirs.placement_error;
  if (mine.routable != theirs.routable) {
    mine.routable = theirs.routable;
    mine.routable_since = theirs.routable_since;
    mine.applied_by.clear();
  }
  if (MayRun(mine)) return;
  mine.claimed_at.reset();
  mine.retire_asked = false;
  mine.applied_by.clear();
  mine.drained_by.clear();
}

// What 1.x knows of an app beside its definition.
void Take(DesiredLrp& mine, const DesiredLrp& theirs) {
  mine.domain = theirs.domain;
  mine.log_guid = theirs.log_guid;
  mine.instances = theirs.instances;
  mine.routes = theirs.routes;
  mine.annotation = theirs.annotation;
  mine.metric_tags = theirs.metric_tags;
  mine.image_username = theirs.image_username;
  mine.image_password = theirs.image_password;
  mine.strategy.mode = theirs.strategy.mode;
  mine.created_at = theirs.created_at;
}

class Merger {
 public:
  Merger(AppState& state, const SplitApp& theirs, const Moment& moment)
      : state_(state), theirs_(*theirs.state), run_info_(theirs.run_info), edit_(state, moment, kActor) {}

  AppChanges Run() {
    const bool fresh = !state_.desired;
    if (fresh) {
      DesireIt();
    } else {
      Take(edit_.ChangeDesired(), *theirs_.desired);
      TakeDefinition();
    }
    TakeInstances();
    if (fresh) MarkProven();
    const ModificationTag tag = fresh ? theirs_.desired->tag : Later(state_.desired->tag, theirs_.desired->tag);
    AppChanges changes = edit_.Finish();
    SetDesiredTag(changes, tag);
    SetTags(changes);
    return changes;
  }

 private:
  const Definition& TheirDefinition() const { return theirs_.definitions.begin()->second; }

  void DesireIt() {
    DesiredLrp desired = *theirs_.desired;
    desired.incarnation = edit_.moment().ids->NewIncarnation();
    desired.healthy = DefinitionId();
    edit_.Desire(std::move(desired));
    edit_.InsertDefinition(state_.desired->incarnation, TheirDefinition(), run_info_);
    edit_.ChangeDesired().created_at = theirs_.desired->created_at;
  }

  // As Split does: by what runs there.
  void MarkProven() {
    const Definition& theirs = TheirDefinition();
    edit_.ChangeDefinition({state_.desired->incarnation, theirs.id}).proven_at = theirs.proven_at;
    edit_.ChangeDesired().healthy = theirs_.desired->healthy;
  }

  void TakeDefinition() {
    const std::int64_t incarnation = state_.desired->incarnation;
    const Definition& theirs = TheirDefinition();
    const DefinitionId active = state_.desired->active;
    if (state_.definitions.at({incarnation, active}).content_hash == theirs.content_hash) return;
    const auto known = std::ranges::find_if(state_.definitions, [&](const auto& entry) {
      return entry.first.incarnation == incarnation && entry.second.content_hash == theirs.content_hash;
    });
    DefinitionId target = theirs.id;
    if (known != state_.definitions.end()) {
      target = known->first.id;
    } else {
      // A client may have named another definition by this content's hash.
      while (state_.definitions.contains({incarnation, target})) target = DefinitionId(target.str() + "-1.x");
      Definition made = theirs;
      made.id = target;
      made.proven_at.reset();  // what runs is of the one before
      edit_.InsertDefinition(incarnation, std::move(made), run_info_);
    }
    if (state_.roll) edit_.CloseRoll(RollState::kSuperseded, kWhy);
    DesiredLrp& desired = edit_.ChangeDesired();
    desired.active = target;
    Roll roll;
    roll.incarnation = incarnation;
    roll.source = desired.healthy.empty() ? active : desired.healthy;
    roll.target = target;
    roll.deadline = edit_.now() + desired.strategy.progress_deadline;
    edit_.OpenRoll(std::move(roll));
  }

  void TakeInstances() {
    std::map<LegacyPlace, ActualId> shown;
    for (const auto& [place, lrp] : PlacesOf(state_)) shown.emplace(place, lrp->id);
    for (const auto& [place, their] : PlacesOf(theirs_)) {
      const auto mine = shown.extract(place);
      if (mine && !IsAnotherStart(state_.actuals.at(mine.mapped()), *their)) {
        Take(edit_.Change(mine.mapped()), *their);
        counted_.emplace(mine.mapped(), their);
        continue;
      }
      if (mine) edit_.Remove(mine.mapped());
      Insert(*their);
    }
    for (const auto& [place, id] : shown) edit_.Remove(id);
  }

  void Insert(ActualLrp lrp) {
    const ModificationTag tag = lrp.tag;
    const TimePoint since = lrp.since;
    lrp.incarnation = state_.desired->incarnation;
    lrp.definition = state_.desired->active;
    ActualLrp& made = edit_.Insert(std::move(lrp));
    made.tag = tag;
    made.since = since;
  }

  void SetDesiredTag(AppChanges& changes, const ModificationTag& least) {
    DesiredLrp& desired = *state_.desired;
    const ModificationTag tag = Later(desired.tag, least);
    if (tag == desired.tag) return;
    desired.tag = tag;
    changes.desired = true;
    for (Event& event : changes.events) {
      if (event.desired_after) event.desired_after->tag = tag;
    }
  }

  void SetTags(AppChanges& changes) {
    for (const auto& [id, their] : counted_) {
      ActualLrp& mine = state_.actuals.at(id);
      const ModificationTag tag = Later(mine.tag, their->tag);
      if (tag == mine.tag) continue;
      mine.tag = tag;
      changes.changed.insert(id);
      for (Event& event : changes.events) {
        if (event.actual_after && event.actual_after->id == id) event.actual_after->tag = tag;
      }
    }
  }

  AppState& state_;
  const AppState& theirs_;
  const std::string& run_info_;
  AppEdit edit_;
  std::map<ActualId, const ActualLrp*> counted_;  // the same one in both
};

AppChanges MergeGone(AppState& state, const Moment& moment) {
  AppEdit edit(state, moment, kActor);
  if (!state.desired) return edit.Finish();
  if (state.roll) edit.CloseRoll(RollState::kYielded, "the app was removed from the tables of schema 1.x");
  std::vector<ActualId> nowhere;
  for (const auto& [id, lrp] : state.actuals) {
    if (!MayRun(lrp)) nowhere.push_back(id);
  }
  for (const ActualId& id : nowhere) edit.Remove(id);
  edit.RemoveDesired();
  return edit.Finish();
}

}  // namespace

AppChanges Merge(AppState& state, const SplitApp* theirs, const Moment& moment) {
  return theirs ? Merger(state, *theirs, moment).Run() : MergeGone(state, moment);
}

}  // namespace baton
