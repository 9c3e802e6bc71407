// A PgStore with one writer on a database of its own, and calls to put to it.
#pragma once

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>

#include "orchestrator/app/apps/update.h"
#include "sql/read/app_reader.h"
#include "sql/store/pg_store.h"
#include "tests/fakes/commit_cutter.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/silent_log.h"
#include "tests/fakes/standing_lease.h"
#include "tests/fakes/test_call.h"

namespace baton {

class PgStoreTest : public ::testing::Test {
 protected:
  PgStoreTest() {
    store_.Lead({"leader", 1});
    store_.ExtendUntil(std::chrono::steady_clock::now() + std::chrono::hours(1));
  }
  ~PgStoreTest() override { store_.Stop(); }

  static TestCall Desire(const ProcessGuid& guid, int instances) {
    TestCall call{{.name = "desire", .guid = guid, .actor = "test"}};
    call.decide = [=](AppEdit& edit) {
      DesireRequest request;
      request.desired.domain = "test";
      request.desired.instances = instances;
      request.definition.definition.id = DefinitionId("v1");
      request.definition.definition.content_hash = std::string(64, 'a');
      request.definition.definition.root_fs = "host:";
      return DecideDesire(edit, request);
    };
    return call;
  }
  // `by` more instances; the answer is how many there are then.
  static TestCall Grow(const ProcessGuid& guid, int by, int& answer, const std::string& key = {}) {
    TestCall call{{.name = "grow", .guid = guid, .actor = "test", .idempotency_key = key, .request_hash = "hash"}};
    call.decide = [by, &answer](AppEdit& edit) {
      answer = edit.ChangeDesired().instances += by;
      return Status(Done{});
    };
    call.encode = [&answer] { return std::to_string(answer); };
    call.replay = [&answer](const std::string& stored) { return answer = std::stoi(stored), true; };
    return call;
  }

  std::future<Status> Submit(TestCall call) {
    auto answer = std::make_shared<std::promise<Status>>();
    call.done = [answer](const Status& status) { answer->set_value(status); };
    store_.Submit(std::move(call));
    return answer->get_future();
  }
  Status Do(TestCall call) { return Submit(std::move(call)).get(); }
  // Keeps the writer busy until the promise is kept, so that what is submitted meanwhile becomes one batch.
  std::promise<void> Hold() {
    std::promise<void> begun, go;
    TestCall call{{.name = "hold", .guid = ProcessGuid("held"), .actor = "test"}};
    call.decide = [&begun, held = go.get_future().share()](AppEdit&) {
      begun.set_value();
      held.wait();
      return Status(Error{ErrorKind::kAborted, "only to keep it busy", {}});
    };
    holding_ = Submit(std::move(call));
    begun.get_future().wait();
    return go;
  }
  // Committed by somebody else.
  void Sql(const std::string& sql) {
    const SessionError error = OpenSession(direct_url_)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      return s.RunScript(sql), true;
    });
    ASSERT_TRUE(error.ok()) << sql << ": " << error.detail;
  }
  void SqlAlone(const std::string& sql) {
    const SessionError error = OpenSession(direct_url_)->RunAlone(sql);
    ASSERT_TRUE(error.ok()) << sql << ": " << error.detail;
  }
  // As the rows say; nothing where it is not desired.
  std::optional<int> Instances(const ProcessGuid& guid) {
    LoadedApps loaded;
    const auto session = OpenSession(direct_url_);
    (void)session->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
      loaded = LoadApps(s, {.apps = {guid}});
      return true;
    });
    const auto& desired = loaded.apps.at(guid).desired;
    return desired ? std::optional(desired->instances) : std::nullopt;
  }

  const std::string direct_url_ = MigratedDatabase();
  StandingLease lease_{direct_url_};
  CommitCutter cutter_{direct_url_, "InsertEvents"};  // of transactions that change something
  SilentLog log_;
  // Apps of any size are read as large ones are.
  PgStore store_{{.url = cutter_.url(), .writers = 1, .known = {.rows_min = 1}}, log_, [] {}};
  std::future<Status> holding_;
};

}  // namespace baton
