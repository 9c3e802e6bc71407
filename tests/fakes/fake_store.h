// A store in memory, for simulation and for tests of what sits above the store. One transaction after the other, as
// the locks of the real one make it for one app.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/ports/store.h"
#include "tests/fakes/fake_lease.h"

namespace baton {

class CountingIds final : public IdSource {
 public:
  std::string NewUuid() override { return "id-" + std::to_string(++uuids_); }
  std::int64_t NewIncarnation() override { return ++incarnations_; }

 private:
  int uuids_ = 0;
  std::int64_t incarnations_ = 0;
};

// An event and what a reader needs to miss none (invariants M12).
struct StoredEvent {
  std::int64_t sequence = 0;
  std::int64_t transaction = 0;
  std::string kind;
};

// What a transaction is about to commit.
struct Prepared {
  Status status = Done{};
  AppState after;
  AppChanges changes;
};

class FakeStore final : public Store {
 public:
  explicit FakeStore(CommitListener* listener = nullptr) : listener_(listener) {}

  void Submit(std::unique_ptr<AppCommand> command) override;
  // Submit of whoever holds the fence already.
  void SubmitHeld(AppCommand& command);
  // Submit's two halves, for whoever plays what may happen between them: decided on a copy, and then all at once seen.
  // Only commands of whole apps, without keys.
  Prepared Prepare(AppCommand& command);
  void Commit(Prepared prepared);

  AppState& app(const ProcessGuid& guid);
  std::map<ProcessGuid, AppState>& apps() { return apps_; }
  // The next calls see this time, these cells and these consumers.
  Moment& moment() { return moment_; }
  const AppChanges& last_changes() const { return last_changes_; }
  void KeepEvents() { keep_events_ = true; }
  // As the real store does of large apps: an app's quiet slots stay with its rows. Of whoever changes rows by commands
  // only.
  void KeepQuietSlots() { keep_quiet_slots_ = true; }
  // In order, after a sequence, never past a transaction that may still commit: it may have taken a lower one.
  std::vector<StoredEvent> EventsAfter(std::int64_t sequence) const;
  // A transaction that has written an event and commits when it is told to.
  std::function<void()> BeginEvent(const std::string& kind);

  // Another is elected than Submit's caller.
  bool Elect() { return lease_.Elect(); }
  // Deletes what the collector names, unless something refers to it, as the foreign keys would.
  bool DeleteDefinition(const ProcessGuid& guid, const DefinitionKey& key);

 private:
  CountingIds ids_;
  Moment moment_{.ids = &ids_};
  std::map<ProcessGuid, AppState> apps_;
  std::map<std::string, std::pair<std::string, std::string>> answers_;  // idempotency key -> request hash, answer
  CommitListener* listener_;
  AppChanges last_changes_;
  static bool Dangles(const AppState& state);
  void Keep(const std::vector<Event>& events);

  bool keep_events_ = false;
  bool keep_quiet_slots_ = false;
  std::vector<StoredEvent> events_;
  std::int64_t sequence_ = 0;
  std::int64_t transactions_ = 0;
  std::set<std::int64_t> open_;  // transactions that have begun and not ended
  FakeLease lease_;
  const std::int64_t led_ = 1;  // in which Submit's caller believes to lead
};

}  // namespace baton
