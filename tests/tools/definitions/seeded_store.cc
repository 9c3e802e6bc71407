#include "tests/tools/definitions/seeded_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <sstream>

#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/app/apps/update.h"
#include "orchestrator/app/leader/drive.h"
#include "orchestrator/wire/messages/definition.h"
#include "sql/read/app_reader.h"
#include "tests/fakes/pg_fixture.h"

namespace baton::testing {

DefinitionInput Version(const std::string& name, std::size_t bytes) {
  v2::LRPDefinition message;
  message.set_definition_identifier(name);
  message.mutable_resource()->set_memory_mb(64);
  message.mutable_resource()->set_root_fs("host:");
  message.add_placement_tags("blue");
  v1::DesiredLRPRunInfo& run = *message.mutable_run_info();
  run.add_ports(8080);
  run.mutable_action()->mutable_run_action()->set_path("/bin/" + name);
  run.mutable_action()->mutable_run_action()->set_user("vcap");
  auto& variable = *run.add_environment_variables();
  variable.set_name("TOKEN");
  variable.set_value(kSecretValue + std::string(bytes, 'x'));
  auto input = wire::DefinitionFrom(message);
  EXPECT_TRUE(input.ok()) << input.error().message;
  return *std::move(input);
}

SeededStore::SeededStore(const std::string& url)
    : url_(url), lease_(url), session_(OpenSession(url)), store_({.url = url}, log_, [] {}) {
  Script(
      "INSERT INTO cells VALUES ('cell-1', '', '', 1024, 1024, 100, 10, '{host:}', '{blue}', '{run,user}', '{}', '', false, now(), "
      "now() + interval '1 hour')");
  store_.SetListener(this);
  store_.Lead({"leader", 1});
  store_.ExtendUntil(std::chrono::steady_clock::now() + std::chrono::hours(1));
}

void SeededStore::Do(TestCall call) {
  std::promise<Status> answer;
  call.actor = "test";
  call.done = [&](const Status& status) { answer.set_value(status); };
  store_.Submit(std::move(call));
  const Status status = answer.get_future().get();
  EXPECT_TRUE(status.ok()) << status.error().message;
}

void SeededStore::Do(const std::string& app, const std::function<Status(AppEdit&)>& decide) {
  Do({{.name = "test", .guid = ProcessGuid(app)}, decide});
}

void SeededStore::Plan(const std::string& app) {
  Do(app, [](AppEdit& edit) {
    (void)RunPlanner(edit);
    return Status(Done{});
  });
}

void SeededStore::Desire(const std::string& app, int instances, const std::string& version, const std::string& domain) {
  DesireRequest request;
  request.desired.domain = domain;
  request.desired.instances = instances;
  request.desired.image_username = "user";
  request.desired.image_password = kSecretPassword;
  request.desired.strategy.min_healthy_time = Duration(0);
  request.definition = Version(version);
  Do(app, [=](AppEdit& edit) { return DecideDesire(edit, request); });
  Plan(app);
}

void SeededStore::Update(const std::string& app, const std::string& version) {
  UpdateRequest request;
  request.definition = Version(version);
  Do(app, [=](AppEdit& edit) { return DecideUpdate(edit, request); });
  Plan(app);
}

void SeededStore::Remove(const std::string& app) { Do(app, DecideRemove); }

void SeededStore::Insert(const std::string& app, const DefinitionInput& input) {
  Do(app, [=](AppEdit& edit) {
    edit.InsertDefinition(edit.state().desired->incarnation, input.definition, input.run_info);
    return Status(Done{});
  });
}

void SeededStore::Pin(const std::string& app, const std::string& version) {
  Do(app, [=](AppEdit& edit) {
    edit.ChangeDefinition({edit.state().desired->incarnation, DefinitionId(version)}).pinned = true;
    return Status(Done{});
  });
}

void SeededStore::Reject(const std::string& app, const std::string& words) {
  const AppState state = Read(app);
  const auto waits = std::ranges::find_if(
      state.actuals, [](const auto& entry) { return entry.second.state == LrpState::kUnclaimed; });
  ASSERT_NE(waits, state.actuals.end());
  Do(app, [id = waits->first, words](AppEdit& edit) { return DecidePlacementError(edit, id, words); });
}

void SeededStore::Report(const std::string& app, const ActualLrp& lrp) {
  const auto call = [&](const std::function<Status(AppEdit&)>& decide) {
    Do({{.name = "report", .guid = ProcessGuid(app), .instance = lrp.id, .with_definition = true}, decide});
  };
  const InstanceRef ref{lrp.id, InstanceGuid("start-of-" + lrp.id.str()), CellId("cell-1")};
  if (lrp.state == LrpState::kUnclaimed) {
    call([=](AppEdit& edit) { return DecideClaim(edit, ref); });
    call([=](AppEdit& edit) {
      return DecideStart(edit, {ref, {"10.0.0.1", "10.0.0.2", {{8080, 61000}}}, true, "z1"});
    });
  } else if (lrp.stop_ordered_at) {
    call([=](AppEdit& edit) { return DecideStopped(edit, {ref.id, lrp.instance_guid, lrp.cell_id}); });
  }
}

void SeededStore::Settle(const std::string& app) {
  constexpr int kRoundsMax = 100;
  for (int round = 0; round < kRoundsMax; ++round) {
    // Times of draining are not what is tested here.
    Script("UPDATE actual_lrps SET drain_not_before = now(), drain_until = now() WHERE presence = 'RETIRING'");
    Plan(app);
    const AppState state = Read(app);
    bool moving = state.roll.has_value();
    for (const auto& [id, lrp] : state.actuals) {
      moving = moving || lrp.state != LrpState::kRunning || lrp.presence != Presence::kOrdinary;
      Report(app, lrp);
    }
    if (!moving) return;
  }
  FAIL() << app << " does not settle";
}

AppState SeededStore::Read(const std::string& app) {
  LoadedApps loaded;
  const SessionError error = session_->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
    loaded = LoadApps(s, {.apps = {ProcessGuid(app)}});
    return true;
  });
  EXPECT_TRUE(error.ok()) << error.detail;
  EXPECT_TRUE(loaded.broken.empty());
  return loaded.apps.at(ProcessGuid(app));
}

void SeededStore::Script(const std::string& sql) {
  const SessionError error = session_->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript(sql);
    return true;
  });
  EXPECT_TRUE(error.ok()) << error.detail;
}

Printed Print(definitions::DefinitionsOptions options) {
  std::ostringstream out;
  std::ostringstream err;
  Printed printed;
  printed.code = definitions::RunDefinitions(options, {out, err});
  printed.out = out.str();
  printed.err = err.str();
  return printed;
}

}  // namespace baton::testing
