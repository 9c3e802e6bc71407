// A store in memory, for simulation and for tests of what sits above the store. One transaction after the other, as
// the locks of the real one make it for one app.
#pragma once

#include <map>
#include <string>

#include "orchestrator/ports/store.h"

namespace baton {

class CountingIds final : public IdSource {
 public:
  std::string NewUuid() override { return "id-" + std::to_string(++uuids_); }
  std::int64_t NewIncarnation() override { return ++incarnations_; }

 private:
  int uuids_ = 0;
  std::int64_t incarnations_ = 0;
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

  void Submit(Call call) override;
  // Submit's two halves, for whoever plays what may happen between them: decided on a copy, and then all at once seen.
  // Only calls of whole apps, without keys.
  Prepared Prepare(const Call& call);
  void Commit(Prepared prepared);

  AppState& app(const ProcessGuid& guid);
  std::map<ProcessGuid, AppState>& apps() { return apps_; }
  // The next calls see this time, these cells and these consumers.
  Moment& moment() { return moment_; }
  const AppChanges& last_changes() const { return last_changes_; }
  const std::vector<Event>& events() const { return events_; }
  void KeepEvents() { keep_events_ = true; }
  // Deletes what the collector names, unless something refers to it, as the foreign keys would.
  bool DeleteDefinition(const ProcessGuid& guid, const DefinitionKey& key);

 private:
  CountingIds ids_;
  Moment moment_{.ids = &ids_};
  std::map<ProcessGuid, AppState> apps_;
  std::map<std::string, std::pair<std::string, std::string>> answers_;  // idempotency key -> request hash, answer
  CommitListener* listener_;
  AppChanges last_changes_;
  bool keep_events_ = false;
  std::vector<Event> events_;
};

}  // namespace baton
