#include "tests/adopt/in_step_database.h"

#include <future>

#include "orchestrator/app/leader/drive.h"
#include "orchestrator/wire/messages/definition.h"
#include "schema/layouts.h"
#include "schema/legacy/rows.h"
#include "sql/read/app_reader.h"
#include "tests/adopt/diego.h"
#include "tests/fakes/pg_fixture.h"

namespace baton::testing {

DefinitionInput AnyDefinition(int seed) {
  v2::LRPDefinition message;
  message.mutable_resource()->set_memory_mb(64);
  message.mutable_resource()->set_root_fs("preloaded:cflinuxfs4");
  auto& action = *message.mutable_run_info()->mutable_action()->mutable_run_action();
  action.set_path("/bin/version-" + std::to_string(seed));
  action.set_user("vcap");
  message.mutable_run_info()->add_ports(8080);
  return wire::DefinitionFrom(message).value();
}

InStepDatabase::InStepDatabase(const std::vector<LegacyApp>& apps, bool triggers)
    : url_(FreshDatabase()), session_(OpenSession(url_)) {
  Within([&](Session& s) {
    MakeLegacyLayout(s);
    InsertLegacyApps(s, apps);
  });
  EXPECT_EQ(CopyToTarget(url_), std::vector<std::string>());
  Within([&](Session& s) {
    if (triggers) s.Run("MakeLegacyTriggers");
    for (int cell = 0; cell < 3; ++cell) {
      s.RunScript("INSERT INTO cells (cell_id, zone, address, memory_mb, disk_mb, pids, containers, stacks, "
                  "placement_tags, abilities, enforces, version, first_seen_at, lease_expires_at) VALUES ('cell-" +
                  std::to_string(cell) + "', '', '', 0, 0, 0, 0, '{}', '{}', '{}', '{}', '', now(), "
                  "now() + interval '1 hour')");
    }
  });
  lease_.emplace(url_);
  store_ = std::make_unique<PgStore>(PgStore::Options{.url = url_}, log_, [] {});
  store_->Lead({"leader", 1, &dual_writer_});
  store_->ExtendUntil(std::chrono::steady_clock::now() + std::chrono::hours(1));
}

InStepDatabase::~InStepDatabase() { store_->Stop(); }

void InStepDatabase::Within(const std::function<void(Session&)>& body) {
  const SessionError error = session_->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    body(s);
    return true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
}

std::vector<Status> InStepDatabase::Do(std::vector<TestCall> calls) {
  std::vector<std::promise<Status>> answers(calls.size());
  for (std::size_t i = 0; i < calls.size(); ++i) {
    calls[i].actor = "test";
    calls[i].done = [&answers, i](const Status& status) { answers[i].set_value(status); };
    store_->Submit(std::move(calls[i]));
  }
  std::vector<Status> statuses;
  for (auto& answer : answers) statuses.push_back(answer.get_future().get());
  return statuses;
}

Status InStepDatabase::Do(TestCall call) {
  std::vector<TestCall> calls;
  calls.push_back(std::move(call));
  return Do(std::move(calls))[0];
}

Status InStepDatabase::Plan(const ProcessGuid& guid, const std::function<Status(AppEdit&)>& decide) {
  TestCall call{{.name = "plan", .guid = guid}};
  call.decide = [decide](AppEdit& edit) {
    if (Status refused = decide ? decide(edit) : Status(Done{}); !refused) return refused;
    (void)RunPlanner(edit);
    return Status(Done{});
  };
  return Do(std::move(call));
}

AppState InStepDatabase::Read(const ProcessGuid& guid) {
  LoadedApps loaded;
  Within([&](Session& s) { loaded = LoadApps(s, {.apps = {guid}}); });
  EXPECT_TRUE(loaded.broken.empty());
  return loaded.apps[guid];
}

baton::Compared InStepDatabase::Compare(const std::vector<ProcessGuid>& guids) {
  baton::Compared compared;
  const SessionError error = session_->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
    compared = CompareShapes(s, guids);
    return true;
  });
  EXPECT_TRUE(error.ok()) << error.detail;
  return compared;
}

std::vector<std::string> InStepDatabase::TakeChanges(int most) {
  std::vector<std::string> taken;
  Within([&](Session& s) {
    for (const auto row : s.Run("TakeLegacyChanges", {std::to_string(most)})) {
      taken.push_back(row.Text("process_guid") + (row.Bool("foreign_write") ? " foreign" : " own"));
    }
  });
  std::ranges::sort(taken);
  return taken;
}

std::vector<LegacyApp> InStepDatabase::OldApps() {
  LegacyBatch batch;
  Within([&](Session& s) { batch = ReadLegacyApps(s, "", 1'000'000); });
  EXPECT_EQ(batch.broken, std::vector<std::string>());
  return batch.apps;
}

}  // namespace baton::testing
