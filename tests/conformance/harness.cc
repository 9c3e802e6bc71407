#include "tests/conformance/harness.h"

#include <algorithm>
#include <future>

#include "sql/read/app_reader.h"
#include "sql/read/pg_event_log.h"
#include "sql/store/pg_store.h"
#include "tests/fakes/fake_store.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/silent_log.h"
#include "tests/fakes/standing_lease.h"

namespace baton {
namespace {

class Fake final : public StoreHarness {
 public:
  Fake() : store_(this) {
    store_.moment().now = TimePoint(seconds(1'000'000));
    store_.KeepEvents();
  }
  Store& store() override { return store_; }
  AppState Read(const ProcessGuid& guid) override { return store_.app(guid); }
  void RegisterConsumer(const ConsumerId& id) override { store_.moment().consumers.insert(id); }
  void GiveCellLease(const CellId& id, bool expired) override {
    CellLease& cell = store_.moment().cells[id];
    cell.expires_at = store_.moment().now + (expired ? seconds(-1) : seconds(3600));
    cell.missing = expired;
  }
  bool DeleteDefinition(const ProcessGuid& guid, const DefinitionKey& key) override {
    return store_.DeleteDefinition(guid, key);
  }
  std::vector<Told> EventsAfter(std::int64_t sequence) override {
    std::vector<Told> told;
    for (const StoredEvent& event : store_.EventsAfter(sequence)) told.push_back({event.sequence, event.kind});
    return told;
  }
  std::function<void()> BeginEvent(const std::string& kind) override { return store_.BeginEvent(kind); }
  bool Elect() override { return store_.Elect(); }

 private:
  FakeStore store_;
};

class Postgres final : public StoreHarness {
 public:
  Postgres()
      : url_(MigratedDatabase()), lease_(url_), session_(OpenSession(url_)),
        store_({.url = url_, .events = &committed_, .known = {.rows_min = 1}}, log_, [] {}) {
    store_.SetListener(this);
    store_.Lead({"leader", 1});
    store_.ExtendUntil(std::chrono::steady_clock::now() + std::chrono::hours(1));
    CHECK(log_of_events_.Next(1).ok());  // it begins here
  }
  Store& store() override { return store_; }
  AppState Read(const ProcessGuid& guid) override {
    LoadedApps loaded;
    (void)session_->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
      loaded = LoadApps(s, {.apps = {guid}});
      return true;
    });
    EXPECT_TRUE_OR_ABORT(loaded.broken.empty());
    return loaded.apps.at(guid);
  }
  void RegisterConsumer(const ConsumerId& id) override {
    Script("INSERT INTO route_consumers VALUES ('" + id.str() + "', '', now(), now() + interval '1 hour')");
  }
  void GiveCellLease(const CellId& id, bool expired) override {
    Script("INSERT INTO cells (cell_id, zone, address, memory_mb, disk_mb, pids, containers, stacks, placement_tags, "
           "abilities, enforces, version, first_seen_at, lease_expires_at, missing_since) VALUES ('" +
           id.str() + "', '', '', 0, 0, 0, 0, '{}', '{}', '{}', '{}', '', now(), now() + interval '" +
           (expired ? "-1" : "1") + " hour', " + (expired ? "now()" : "NULL") +
           ") ON CONFLICT (cell_id) DO UPDATE SET lease_expires_at = EXCLUDED.lease_expires_at, "
           "missing_since = EXCLUDED.missing_since");
  }
  bool DeleteDefinition(const ProcessGuid& guid, const DefinitionKey& key) override {
    return Script("DELETE FROM definitions WHERE process_guid = '" + guid.str() + "' AND incarnation = " +
                  std::to_string(key.incarnation) + " AND definition_identifier = '" + key.id.str() + "'");
  }
  std::vector<Told> EventsAfter(std::int64_t sequence) override {
    // As batond reads them: looks until there is nothing more, or a gap that somebody may still fill.
    for (int idle = 0; idle < 3;) {
      const auto batch = log_of_events_.Next(1000);
      CHECK(batch.ok());
      for (const EventRow& event : batch->events) told_.push_back({event.sequence, event.kind});
      idle = batch->events.empty() ? idle + 1 : 0;
    }
    std::vector<Told> later;
    std::ranges::copy_if(told_, std::back_inserter(later), [&](const Told& told) { return told.sequence > sequence; });
    return later;
  }
  std::function<void()> BeginEvent(const std::string& kind) override {
    struct Open {
      std::promise<void> written, commit;
      std::future<void> done;
    };
    const auto open = std::make_shared<Open>();
    open->done = std::async(std::launch::async, [this, kind, open] {
      const auto session = OpenSession(url_);
      (void)session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
        s.RunScript("INSERT INTO events (at, kind, process_guid, incarnation, payload) VALUES (now(), '" + kind +
                    "', 'app', 1, '')");
        open->written.set_value();
        open->commit.get_future().wait();
        return true;
      });
    });
    open->written.get_future().wait();
    return [open] {
      open->commit.set_value();
      open->done.wait();
    };
  }
  bool Elect() override { return Script("SET LOCAL lock_timeout = '300ms'; UPDATE leases SET epoch = epoch + 1"); }

 private:
  static void EXPECT_TRUE_OR_ABORT(bool condition) { CHECK(condition); }
  bool Script(const std::string& sql) {
    return session_->Transact(Session::Isolation::kReadCommitted, [&](Session& s) { return s.RunScript(sql), true; })
        .ok();
  }

  SilentLog log_;
  std::string url_;
  StandingLease lease_;
  std::unique_ptr<Session> session_;
  CommittedEvents committed_;
  PgStore store_;
  PgEventLog log_of_events_{url_, log_, PlainCipher(), &committed_};
  std::vector<Told> told_;
};

}  // namespace

Status StoreHarness::Do(TestCall call) {
  std::promise<Status> answer;
  call.done = [&](const Status& status) { answer.set_value(status); };
  if (call.actor.empty()) call.actor = "test";
  store().Submit(std::move(call));
  return answer.get_future().get();
}

Status StoreHarness::Do(const ProcessGuid& guid, const std::function<Status(AppEdit&)>& decide) {
  TestCall call;
  call.name = "test";
  call.guid = guid;
  call.decide = decide;
  return Do(std::move(call));
}

void StoreHarness::OnCommitted(const Committed&) { ++commits_; }

HarnessKind FakeHarness() {
  return {"Fake", [] { return std::make_unique<Fake>(); }};
}
HarnessKind PostgresHarness() {
  return {"Postgres", [] { return std::make_unique<Postgres>(); }};
}

}  // namespace baton
