#include "tests/fakes/fake_store.h"

#include <algorithm>

namespace baton {

AppState& FakeStore::app(const ProcessGuid& guid) {
  AppState& app = apps_[guid];
  app.guid = guid;
  if (keep_quiet_slots_) app.quiet.Keep();
  return app;
}

std::vector<StoredEvent> FakeStore::EventsAfter(std::int64_t sequence) const {
  const std::int64_t oldest = open_.empty() ? transactions_ + 1 : *open_.begin();
  std::vector<StoredEvent> events;
  for (const StoredEvent& event : events_) {
    if (event.sequence > sequence && event.transaction < oldest) events.push_back(event);
  }
  std::ranges::sort(events, {}, &StoredEvent::sequence);
  return events;
}

std::function<void()> FakeStore::BeginEvent(const std::string& kind) {
  StoredEvent event{++sequence_, ++transactions_, kind};
  open_.insert(event.transaction);
  return [this, event] {
    open_.erase(event.transaction);
    events_.push_back(event);
  };
}

void FakeStore::Keep(const std::vector<Event>& events) {
  if (!keep_events_) return;
  const std::int64_t transaction = ++transactions_;
  for (const Event& event : events) events_.push_back({++sequence_, transaction, std::string(Name(event.kind))});
}

// What the foreign keys refuse.
bool FakeStore::Dangles(const AppState& state) {
  return std::ranges::any_of(state.actuals, [&](const auto& entry) {
    return !state.definitions.contains({entry.second.incarnation, entry.second.definition});
  });
}

void FakeStore::Submit(std::unique_ptr<AppCommand> command) {
  if (!lease_.Hold(led_)) return command->End(Error{ErrorKind::kUnavailable, "another batond leads now", seconds(1)});
  SubmitHeld(*command);
  lease_.Release();
}

void FakeStore::SubmitHeld(AppCommand& command) {
  const CommandHeader& call = command.header();
  if (const auto known = answers_.find(call.idempotency_key);
      !call.idempotency_key.empty() && known != answers_.end()) {
    if (known->second.first != call.request_hash) {
      return command.End(Error{ErrorKind::kAborted, "idempotency_key was used for another request"});
    }
    (void)command.Replay(known->second.second);
    return command.End(Done{});
  }
  AppState& whole = app(call.guid);
  AppState alone;  // a call of one instance sees it alone, as the real store reads it alone
  if (call.instance) {
    alone.guid = call.guid;
    if (const auto row = whole.actuals.find(*call.instance); row != whole.actuals.end()) {
      alone.actuals.insert(*row);
      const auto own = whole.definitions.find({row->second.incarnation, row->second.definition});
      if (call.with_definition && own != whole.definitions.end()) alone.definitions.insert(*own);
    }
  }
  AppState& state = call.instance ? alone : whole;
  AppEdit edit(state, moment_, call.actor);
  Status status = command.Decide(edit);
  if (status && !call.instance && Dangles(state)) {
    status = Error{ErrorKind::kUnavailable, "a definition has been collected meanwhile", milliseconds(100)};
  }
  if (!status) {
    edit.Undo();
    return command.End(status);
  }
  const bool changed = edit.ChangedByDecision();
  last_changes_ = edit.Finish();
  if (call.priority == Priority::kCallers) last_changes_.CausedBy(call.trace);
  command.Answer({state, moment_, last_changes_, changed});
  if (!call.idempotency_key.empty()) answers_[call.idempotency_key] = {call.request_hash, command.Encode()};
  if (call.instance) {
    const auto row = whole.actuals.find(*call.instance);
    if (row != whole.actuals.end()) whole.quiet.Touch(row->second);
    for (const ActualId& id : last_changes_.removed) whole.actuals.erase(id);
    for (const auto& [id, lrp] : alone.actuals) whole.actuals.insert_or_assign(id, lrp);
  }
  Keep(last_changes_.events);
  if (listener_ && !last_changes_.empty()) {
    listener_->OnCommitted({state.guid, last_changes_, state, !call.instance.has_value()});
  }
  command.End(Done{});
}

Prepared FakeStore::Prepare(AppCommand& command) {
  Prepared prepared;
  prepared.after = app(command.header().guid);
  AppEdit edit(prepared.after, moment_, command.header().actor);
  prepared.status = command.Decide(edit);
  if (!prepared.status) return prepared;
  prepared.changes = edit.Finish();
  return prepared;
}

void FakeStore::Commit(Prepared prepared) {
  const ProcessGuid guid = prepared.after.guid;
  apps_[guid] = std::move(prepared.after);
  last_changes_ = std::move(prepared.changes);
}

bool FakeStore::DeleteDefinition(const ProcessGuid& guid, const DefinitionKey& key) {
  AppState& state = app(guid);
  const auto refers = [&](const DefinitionId& id) { return id == key.id; };
  if (state.desired && state.desired->incarnation == key.incarnation &&
      (refers(state.desired->active) || refers(state.desired->healthy))) {
    return false;
  }
  if (state.roll && state.roll->incarnation == key.incarnation &&
      (refers(state.roll->source) || refers(state.roll->target))) {
    return false;
  }
  const bool held = std::ranges::any_of(state.actuals, [&](const auto& entry) {
    return entry.second.incarnation == key.incarnation && refers(entry.second.definition);
  });
  return !held && state.definitions.erase(key) > 0;
}

}  // namespace baton
