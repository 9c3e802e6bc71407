#include "orchestrator/model/app_edit.h"

#include <algorithm>
#include <utility>

#include "orchestrator/base/check.h"

namespace baton {
namespace {

// Equal but for the tag, which is bumped only when something else differs.
template <class Row>
bool SameButTag(Row a, const Row& b) {
  a.tag = b.tag;
  return a == b;
}

void SortBurst(std::vector<Event>& events) {
  const auto rank = [](const Event& event) {
    switch (event.kind) {
      case EventKind::kActualCrashed: return 0;
      case EventKind::kActualRemoved: return 3;
      case EventKind::kActualCreated:
      case EventKind::kActualChanged: return event.actual_after->state == LrpState::kRunning ? 1 : 2;
      default: return -1;
    }
  };
  std::stable_sort(events.begin(), events.end(), [&](const Event& a, const Event& b) { return rank(a) < rank(b); });
}

}  // namespace

std::string_view Name(EventKind kind) {
  constexpr std::string_view kNames[] = {"desired_created",    "desired_changed",      "desired_removed",
                                         "definition_created", "definition_collected", "roll_opened",
                                         "roll_step",          "roll_closed",          "actual_crashed",
                                         "actual_created",     "actual_changed",       "actual_removed",
                                         "cell_registered",    "cell_missing",         "cell_draining",
                                         "cell_undrained",     "domain_fresh",         "domain_expired"};
  static_assert(std::size(kNames) == kEventKinds);
  return kNames[static_cast<std::size_t>(kind)];
}

bool AppChanges::empty() const {
  return !desired && !roll && closed_rolls.empty() && steps.empty() && new_definitions.empty() &&
         changed_definitions.empty() && inserted.empty() && changed.empty() && removed.empty();
}

void AppChanges::CausedBy(const TraceParent& trace) {
  if (!steps.empty()) causes = {{0, trace}};
}

void AppChanges::Merge(AppChanges later) {
  desired |= later.desired;
  roll |= later.roll;
  std::ranges::move(later.closed_rolls, std::back_inserter(closed_rolls));
  for (Cause& cause : later.causes) causes.push_back({steps.size() + cause.first_step, std::move(cause.trace)});
  std::ranges::move(later.steps, std::back_inserter(steps));
  new_definitions.merge(later.new_definitions);
  for (const auto& key : later.changed_definitions) {
    if (!new_definitions.contains(key)) changed_definitions.insert(key);
  }
  inserted.merge(later.inserted);
  for (const auto& id : later.changed) {
    if (!inserted.contains(id)) changed.insert(id);
  }
  for (const auto& id : later.removed) {
    changed.erase(id);
    if (inserted.erase(id) == 0) removed.insert(id);
  }
  std::ranges::move(later.events, std::back_inserter(events));
  returned |= later.returned;
}

AppEdit::AppEdit(AppState& state, const Moment& moment, std::string actor)
    : state_(state), moment_(moment), actor_(std::move(actor)) {
  desired_before_ = state.desired;
}

ActualLrp& AppEdit::Insert(ActualLrp lrp) {
  lrp.id = ActualId(moment_.ids->NewUuid());
  lrp.tag = {lrp.id.str(), 0};
  lrp.since = now();
  const ActualId id = lrp.id;
  memory_.inserted.insert(id);
  const auto [at, fresh] = state_.actuals.emplace(id, std::move(lrp));
  CHECK(fresh);
  state_.quiet.Touch(at->second);
  return at->second;
}

ActualLrp& AppEdit::Change(const ActualId& id) {
  const auto at = state_.actuals.find(id);
  CHECK(at != state_.actuals.end());
  if (!memory_.inserted.contains(id)) memory_.actuals_before.emplace(id, at->second);
  state_.quiet.Touch(at->second);
  return at->second;
}

void AppEdit::Remove(const ActualId& id) {
  const auto at = state_.actuals.find(id);
  CHECK(at != state_.actuals.end());
  if (memory_.inserted.erase(id) == 0) memory_.actuals_before.emplace(id, at->second);
  state_.quiet.Touch(at->second);
  state_.actuals.erase(at);
}

void AppEdit::InsertDefinition(std::int64_t incarnation, Definition definition, std::string run_info) {
  definition.created_at = now();
  const DefinitionKey key{incarnation, definition.id};
  CHECK(!state_.definitions.contains(key) || HasInserted(key));
  state_.definitions.insert_or_assign(key, std::move(definition));
  memory_.new_definitions.insert_or_assign(key, std::move(run_info));
}

Definition& AppEdit::ChangeDefinition(const DefinitionKey& key) {
  const auto at = state_.definitions.find(key);
  CHECK(at != state_.definitions.end());
  if (!memory_.new_definitions.contains(key)) memory_.definitions_before.emplace(key, at->second);
  return at->second;
}

void AppEdit::Desire(DesiredLrp desired) {
  CHECK(!state_.desired);
  memory_.desired_touched = true;
  RememberRoll();
  state_.past_rolls.clear();  // nothing of an older incarnation counts
  desired.created_at = now();
  desired.tag = {moment_.ids->NewUuid(), 0};
  state_.desired = std::move(desired);
}

DesiredLrp& AppEdit::ChangeDesired() {
  CHECK(state_.desired);
  memory_.desired_touched = true;
  return *state_.desired;
}

void AppEdit::RemoveDesired() {
  CHECK(state_.desired);
  memory_.desired_touched = true;
  state_.desired.reset();
}

void AppEdit::RememberRoll() {
  if (std::exchange(memory_.roll_touched, true)) return;
  memory_.roll_before = state_.roll;
  memory_.past_rolls_before = state_.past_rolls;
}

// One by one: each commit logs some slots, of thousands.
void AppEdit::RememberSlotLog(int index) {
  if (memory_.all_slot_logs_before) return;
  const auto log = state_.slot_logs.find(index);
  memory_.slot_logs_before.try_emplace(index,
                                       log == state_.slot_logs.end() ? std::nullopt : std::optional(log->second));
}

void AppEdit::RememberAllSlotLogs() {
  if (!memory_.all_slot_logs_before) memory_.all_slot_logs_before = state_.slot_logs;
}

void AppEdit::RestoreSlotLogs() {
  if (memory_.all_slot_logs_before) state_.slot_logs = std::move(*memory_.all_slot_logs_before);
  for (auto& [index, before] : memory_.slot_logs_before) {
    before ? void(state_.slot_logs.insert_or_assign(index, *std::move(before))) : void(state_.slot_logs.erase(index));
  }
}

void AppEdit::OpenRoll(Roll roll, bool returns) {
  CHECK(!state_.roll);
  RememberRoll();
  memory_.returned = memory_.returned || returns;
  roll.id = RollId(moment_.ids->NewUuid());
  roll.opened_at = now();
  roll.actor = actor_;
  roll.strategy = state_.desired->strategy;
  const std::string text = roll.source.empty() ? "first start of " + roll.target.str()
                                               : "from " + roll.source.str() + (returns ? " back to " : " to ") +
                                                     roll.target.str() + (returns ? ", which was active before" : "");
  const DefinitionId target = roll.target;
  RememberAllSlotLogs();
  state_.slot_logs.clear();
  memory_.opened_rolls.push_back(roll);
  state_.roll = std::move(roll);
  LogStep({.kind = StepKind::kOpened, .definition = target, .text = text});
}

Roll& AppEdit::ChangeRoll() {
  CHECK(state_.roll);
  RememberRoll();
  return *state_.roll;
}

void AppEdit::CloseRoll(RollState state, std::string reason) {
  CHECK(!IsOpen(state));
  Roll& roll = ChangeRoll();
  roll.state = state;
  roll.reason = std::move(reason);
  if (roll.waits_from) roll.waited += now() - *roll.waits_from;
  roll.waits_from.reset();
  LogStep({.kind = StepKind::kState, .text = roll.reason});
  roll.finished_at = now();
  state_.past_rolls.insert(state_.past_rolls.begin(), PastRoll{roll.id, roll.target, roll.state, roll.refused, now()});
  if (state_.past_rolls.size() > kPastRollsMax) state_.past_rolls.pop_back();
  memory_.closed_rolls.push_back(roll);
  state_.roll.reset();
  RememberAllSlotLogs();
  state_.slot_logs.clear();
}

void AppEdit::CountFailuresAnew() {
  Roll& roll = ChangeRoll();
  roll.counted_from = roll.revision;
  RememberAllSlotLogs();
  for (auto& [index, slot] : state_.slot_logs) {
    slot.failed_attempts = slot.late_failures = 0;
    slot.last_failure_at.reset();
    slot.last_failure.clear();
  }
}

void AppEdit::LogStep(RollStep step) {
  Roll& roll = ChangeRoll();
  step.roll_id = roll.id;
  step.sequence = ++roll.revision;
  step.at = now();
  step.actor = actor_;
  if (step.index >= 0) {
    RememberSlotLog(step.index);
    state_.quiet.TouchSlot(step.index);
    SlotLog& slot = state_.slot_logs[step.index];
    if (step.kind == StepKind::kAttemptFailed) {
      ++slot.failed_attempts;
      slot.late_failures += slot.handed_over ? 1 : 0;
      slot.last_failure_at = std::max(now(), slot.last_failure_at.value_or(now()));  // as the steps say, read together
      slot.last_failure = step.text;
    } else if (step.kind == StepKind::kProven || step.kind == StepKind::kHandedOver) {
      slot.handed_over = true;
    }
  }
  memory_.steps.push_back(std::move(step));
}

std::vector<const ActualLrp*> AppEdit::ActualsBefore() const {
  std::vector<const ActualLrp*> rows;
  for (const auto& [id, lrp] : state_.actuals) {
    if (!memory_.inserted.contains(id) && !memory_.actuals_before.contains(id)) rows.push_back(&lrp);
  }
  for (const auto& [id, lrp] : memory_.actuals_before) rows.push_back(&lrp);
  return rows;
}

// Events of one commit's instances, in the order that routers need.
void AppEdit::FinishActuals(AppChanges& changes) {
  changes.inserted = memory_.inserted;
  std::vector<Event> burst;
  const auto add = [&](EventKind kind, const ActualLrp* before, const ActualLrp* after) {
    Event& event = burst.emplace_back(Event{.kind = kind, .incarnation = (after ? after : before)->incarnation});
    if (before) event.actual_before = *before;
    if (after) event.actual_after = *after;
  };
  for (const auto& id : changes.inserted) add(EventKind::kActualCreated, nullptr, &state_.actuals.at(id));
  for (const auto& [id, before] : memory_.actuals_before) {
    const auto at = state_.actuals.find(id);
    if (at == state_.actuals.end()) {
      changes.removed.insert(id);
      add(EventKind::kActualRemoved, &before, nullptr);
    } else if (!SameButTag(at->second, before)) {
      ActualLrp& after = at->second;
      after.tag.index = before.tag.index + 1;
      changes.changed.insert(id);
      if (after.state == LrpState::kCrashed && before.state != LrpState::kCrashed) {
        add(EventKind::kActualCrashed, &before, &after);
      }
      add(EventKind::kActualChanged, &before, &after);
    }
  }
  SortBurst(burst);
  std::ranges::move(burst, std::back_inserter(changes.events));
}

void AppEdit::FinishDesired(AppChanges& changes) {
  // Where its routes lead changes with these alone, and of a definition's change there is no event.
  const bool bound_anew = std::ranges::any_of(memory_.definitions_before, [&](const auto& before) {
    return state_.definitions.at(before.first).port_aliases != before.second.port_aliases;
  });
  memory_.desired_touched = memory_.desired_touched || (bound_anew && state_.desired);
  if (!memory_.desired_touched) return;
  const auto& before = desired_before_;
  auto& after = state_.desired;
  const bool same_app = before && after && before->incarnation == after->incarnation;
  if (same_app) {
    if (SameButTag(*after, *before) && !bound_anew) return;
    after->tag.index = before->tag.index + 1;
    changes.desired = true;
    changes.events.push_back({.kind = EventKind::kDesiredChanged,
                              .incarnation = after->incarnation,
                              .desired_before = before,
                              .desired_after = after});
    return;
  }
  changes.desired = before || after;
  if (before) {
    changes.events.push_back(
        {.kind = EventKind::kDesiredRemoved, .incarnation = before->incarnation, .desired_before = before});
  }
  if (after) {
    changes.events.push_back(
        {.kind = EventKind::kDesiredCreated, .incarnation = after->incarnation, .desired_after = after});
  }
}

std::optional<Roll> AppEdit::RollAfter(const RollId& id) const {
  if (state_.roll && state_.roll->id == id) return state_.roll;
  const auto closed = std::ranges::find(memory_.closed_rolls, id, &Roll::id);
  return closed == memory_.closed_rolls.end() ? std::nullopt : std::optional(*closed);
}

void AppEdit::FinishRoll(AppChanges& changes) {
  changes.roll = memory_.roll_touched && state_.roll != memory_.roll_before;
  for (const Roll& roll : memory_.opened_rolls) {
    changes.events.push_back({.kind = EventKind::kRollOpened, .incarnation = roll.incarnation, .roll = roll});
  }
  for (const RollStep& step : memory_.steps) {
    Event event{.kind = EventKind::kRollStep, .step = step};
    if (step.kind == StepKind::kState) event.roll = RollAfter(step.roll_id);
    changes.events.push_back(std::move(event));
  }
  for (const Roll& roll : memory_.closed_rolls) {
    changes.events.push_back({.kind = EventKind::kRollClosed, .incarnation = roll.incarnation, .roll = roll});
  }
  changes.returned = memory_.returned;
  changes.closed_rolls = std::move(memory_.closed_rolls);
  changes.steps = std::move(memory_.steps);
}

// The app's row may be gone with this commit, or since long before its last instance.
void AppEdit::NameDomain(std::vector<Event>& events) const {
  const auto& app = state_.desired ? state_.desired : desired_before_;
  for (Event& event : events) {
    const auto& actual = event.actual_after ? event.actual_after : event.actual_before;
    event.domain = actual ? actual->domain : app ? app->domain : std::string();
  }
}

bool AppEdit::HasChanges() const {
  const Memory& m = memory_;
  const auto other = [](const auto& rows, const auto& before) {
    const auto at = rows.find(before.first);
    return at == rows.end() || at->second != before.second;
  };
  return (m.desired_touched && state_.desired != desired_before_) || (m.roll_touched && state_.roll != m.roll_before) ||
         !m.steps.empty() || !m.closed_rolls.empty() || !m.inserted.empty() || !m.new_definitions.empty() ||
         std::ranges::any_of(m.actuals_before, [&](const auto& before) { return other(state_.actuals, before); }) ||
         std::ranges::any_of(m.definitions_before, [&](const auto& before) { return other(state_.definitions, before); });
}

AppChanges AppEdit::Finish() {
  AppChanges changes;
  FinishDesired(changes);
  for (const auto& [key, run_info] : memory_.new_definitions) {
    changes.events.push_back(
        {.kind = EventKind::kDefinitionCreated, .incarnation = key.incarnation, .definition = key.id});
  }
  changes.new_definitions = std::move(memory_.new_definitions);
  for (const auto& [key, before] : memory_.definitions_before) {
    if (state_.definitions.at(key) != before) changes.changed_definitions.insert(key);
  }
  FinishRoll(changes);
  FinishActuals(changes);
  TouchAll();  // they are new
  NameDomain(changes.events);
  return changes;
}

void AppEdit::TouchAll() {
  for (const auto& id : memory_.inserted) state_.quiet.Touch(state_.actuals.at(id));
  for (const auto& [id, before] : memory_.actuals_before) state_.quiet.Touch(before);
}

void AppEdit::Undo() {
  TouchAll();  // they will be as they were
  for (const auto& [index, before] : memory_.slot_logs_before) state_.quiet.TouchSlot(index);
  if (memory_.all_slot_logs_before) state_.quiet.Forget();
  for (const auto& id : memory_.inserted) state_.actuals.erase(id);
  for (auto& [id, before] : memory_.actuals_before) state_.actuals.insert_or_assign(id, std::move(before));
  for (const auto& [key, run_info] : memory_.new_definitions) state_.definitions.erase(key);
  for (auto& [key, before] : memory_.definitions_before) state_.definitions.insert_or_assign(key, std::move(before));
  if (memory_.desired_touched) state_.desired = desired_before_;
  if (memory_.roll_touched) {
    state_.roll = memory_.roll_before;
    RestoreSlotLogs();
    state_.past_rolls = memory_.past_rolls_before;
  }
  memory_ = {};
  changed_by_decision_.reset();
}

}  // namespace baton
