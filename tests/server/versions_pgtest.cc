// The version law over whole services: who migrates, who waits, what callers are told meanwhile, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "orchestrator/model/version.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/silent_log.h"
#include "tests/schema/store_2_0.h"
#include "tests/server/running_service.h"
#include "tests/server/scripted_cell.h"
#include "tests/server/sql_script.h"
#include "tools/batond/prepare.h"

namespace baton {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string VersionsWhere(std::int64_t current) { return "versions WHERE current = " + std::to_string(current); }

// Asks until the refusal says `text`, and gives what it says then, or said last.
std::string RefusedWith(RunningService& service, const std::string& text) {
  grpc::Status refused;
  Eventually([&] {
    v2::DesireLRPResponse response;
    refused = service.apps->DesireLRP(Context().get(), RunningService::SmallApp("app"), &response);
    return refused.error_message().find(text) != std::string::npos;
  });
  return refused.error_message();
}

TEST(ServingVersions, TheElectedOneMigratesAndThenServes) {
  RunningService service(Store20(5));
  service.WaitForLead();
  EXPECT_TRUE(Exists(service.url(), VersionsWhere(kSchemaMigration)));
  EXPECT_EQ(service.Instances("app-1").size(), 3u);
  EXPECT_TRUE(service.Desire(RunningService::SmallApp("new")).ok());
}

TEST(ServingVersions, WhileItMigratesCallersAreToldSoAndWhenToAskAgain) {
  const std::string url = Store20(5);
  auto holder = OpenSession(url);
  std::optional<RunningService> service;
  const SessionError error = holder->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript("SET LOCAL idle_in_transaction_session_timeout = 0; SELECT FROM actual_lrps FOR UPDATE");
    service.emplace(url);
    grpc::Status refused;
    std::unique_ptr<grpc::ClientContext> context;
    EXPECT_TRUE(Eventually([&] {
      context = Context();
      v2::DesireLRPResponse response;
      refused = service->apps->DesireLRP(context.get(), RunningService::SmallApp("app"), &response);
      return refused.error_message().find("migrating") != std::string::npos;
    }));
    EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNAVAILABLE);
    EXPECT_THAT(refused.error_message(), HasSubstr("migrating the data from schema 100 to "));
    EXPECT_EQ(context->GetServerTrailingMetadata().count("baton-retry-after-ms"), 1u);
    EXPECT_FALSE(service->Serving());
    return false;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
  service->WaitForLead();
  EXPECT_TRUE(Exists(url, VersionsWhere(kSchemaMigration)));
}

TEST(ServingVersions, OfTwoOneMigratesAndTheOtherStandsBy) {
  const std::string url = Store20(20);
  RunningService one(url);
  RunningService two(url);
  ASSERT_TRUE(Eventually([&] { return one.Serving() || two.Serving(); }));
  EXPECT_NE(one.Serving(), two.Serving());
  EXPECT_TRUE(Exists(url, VersionsWhere(kSchemaMigration)));
}

TEST(ServingVersions, WhoseDataHasGoneOnStandsByAndSaysWhy) {
  const std::string url = MigratedDatabase();
  Sql(url, "INSERT INTO leases VALUES ('batond', 1, 'newer', '', now(), now() + interval '30 seconds')");
  RunningService service(url);
  Sql(url, "UPDATE versions SET current = 999, target = 999, current_semver = '9.0.0'");
  Sql(url, "UPDATE leases SET expires_at = now()");
  EXPECT_THAT(RefusedWith(service, "999"), AllOf(HasSubstr("stands by"), HasSubstr("built for")));
  EXPECT_TRUE(Exists(url, "leases WHERE epoch = 1")) << "it did not even stand for election";
  // Who is not of the future goes on.
  Sql(url, "UPDATE versions SET current = " + std::to_string(kSchemaMigration) + ", target = current, current_semver = '" +
               kSchemaSemver + "'");
  Sql(url, "UPDATE versions SET target = current");
  service.WaitForLead();
}

TEST(ServingVersions, AMigrationThatCannotGoOnIsSaidAndGoneOnWithWhenItCan) {
  const std::string url = Store20(5);
  Sql(url, "CREATE FUNCTION no() RETURNS trigger AS $$ BEGIN RAISE 'no'; END $$ LANGUAGE plpgsql;"
           "CREATE TRIGGER no BEFORE UPDATE ON actual_lrps EXECUTE FUNCTION no()");
  RunningService service(url);
  EXPECT_THAT(RefusedWith(service, "does not go on"), HasSubstr("does not go on"));
  EXPECT_TRUE(Exists(url, VersionsWhere(100)));
  Sql(url, "DROP TRIGGER no ON actual_lrps");
  service.WaitForLead();
}

// The data was the new one's by then: the next try found nothing to migrate, and said only that it may serve. For ever it
// answered that it migrates.
TEST(ServingVersions, AMigrationWhoseLastStepHadToWaitServesAllTheSame) {
  const std::string url = Store20(5);
  Session::SetHook([failed = std::make_shared<std::atomic<bool>>(false)](std::string_view statement) {
    if (statement.find("ALTER COLUMN text TYPE bytea") == std::string_view::npos || failed->exchange(true)) return;
    throw StatementFault{"42501", "it could not be locked"};
  });
  RunningService service(url);
  EXPECT_TRUE(Eventually([&] { return service.Serving(); }));
  Session::SetHook({});
  EXPECT_TRUE(service.Desire(RunningService::SmallApp("new")).ok());
}

TEST(ServingVersions, TheOneThatIsToldToTakesTheDataBackWhenItStops) {
  const std::string url = Store20(5);
  batond::ServiceOptions options;
  options.rollback_on_drain_to = 100;
  RunningService leader(url, options);
  leader.WaitForLead();
  RunningService standby(url);
  leader.Stop();
  EXPECT_TRUE(Exists(url, VersionsWhere(100)));
  EXPECT_FALSE(Exists(url, "information_schema.columns WHERE table_name = 'actual_lrps' AND column_name = 'domain'"));
  EXPECT_THAT(RefusedWith(standby, "taken back"), HasSubstr("taken back"));
  EXPECT_TRUE(Exists(url, VersionsWhere(100))) << "no standby goes forward again by itself";
}

TEST(ServingVersions, WhatWouldBeLostIsSaidAndNothingIsTakenBack) {
  const std::string url = MigratedDatabase();
  Sql(url, "INSERT INTO domains VALUES ('eternal', NULL)");
  SilentLog log;
  batond::ServiceOptions options;
  options.listen = "127.0.0.1:0";
  options.metrics.clear();
  options.rollback_on_drain_to = 100;
  auto service = StartedService::Start(options, url, log);
  ASSERT_TRUE(service.ok());
  ASSERT_TRUE(Eventually([&] { return Exists(url, "members WHERE state = 'LEADING'"); }));
  const Status stopped = service->Stop();
  ASSERT_FALSE(stopped.ok());
  EXPECT_THAT(stopped.error().message, HasSubstr("domain eternal is fresh for ever"));
  EXPECT_TRUE(Exists(url, "versions WHERE current = target AND current = " + std::to_string(kSchemaMigration)));
}

class Prepared : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/baton-state-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    dir_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(dir_); }

  Status Prepare(const std::string& url, bool accept = false) {
    return batond::PrepareDatabase({.url = url, .state_file = state(), .accept_store = accept}, log_,
                                   [](Duration) { return true; });
  }
  std::string state() const { return dir_ + "/state"; }
  // Leads once, so that it is remembered.
  std::int64_t Lead(const std::string& url) {
    batond::ServiceOptions options;
    options.state_file = state();
    RunningService service(url, options);
    service.WaitForLead();
    v2::PingResponse ping;
    EXPECT_TRUE(Eventually([&] { return service.admin->Ping(Context().get(), {}, &ping).ok() && ping.epoch() > 0; }));
    return ping.epoch();
  }

  std::string dir_;
  SilentLog log_;
};

TEST_F(Prepared, AnEmptyDatabaseIsMadeWhereNoneIsRemembered) {
  const std::string url = FreshDatabase();
  ASSERT_TRUE(Prepare(url).ok());
  EXPECT_TRUE(Exists(url, VersionsWhere(kSchemaMigration)));
  Lead(url);
  EXPECT_TRUE(std::filesystem::exists(state()));
  EXPECT_TRUE(Prepare(url).ok());
}

TEST_F(Prepared, AWipedStoreIsNotMadeAnewInSilence) {
  Lead(MigratedDatabase());
  const std::string empty = FreshDatabase();
  const Status status = Prepare(empty);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().message, AllOf(HasSubstr("the database is empty"), HasSubstr("--accept-store")));
  EXPECT_FALSE(Exists(empty, "pg_tables WHERE schemaname = 'public'"));
}

TEST_F(Prepared, AStoreThatWasRestoredIsRefusedUntilItIsAccepted) {
  const std::string url = MigratedDatabase();
  for (int i = 0; i < 3; ++i) Lead(url);
  const std::int64_t epoch = Lead(url);
  Sql(url, "UPDATE leases SET epoch = 1");  // as of the backup
  const Status status = Prepare(url);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().message, HasSubstr("has gone back"));
  EXPECT_TRUE(Exists(url, "leases WHERE epoch = 1")) << "nothing was written";
  ASSERT_TRUE(Prepare(url, true).ok());
  EXPECT_GT(Lead(url), epoch) << "cells have seen that one";
}

TEST_F(Prepared, AnotherStoreIsRefused) {
  Lead(MigratedDatabase());
  const std::string other = MigratedDatabase();
  EXPECT_THAT(Prepare(other).error().message, HasSubstr("another store"));
  ASSERT_TRUE(Prepare(other, true).ok());
  EXPECT_TRUE(Prepare(other).ok());
}

TEST_F(Prepared, ADamagedStateFileIsNamed) {
  std::ofstream(state()) << "rubbish";
  EXPECT_THAT(Prepare(MigratedDatabase()).error().message, HasSubstr(state()));
}

TEST_F(Prepared, WhatIsRememberedHoldsForStandbysToo) {
  const std::string url = MigratedDatabase();
  Lead(url);
  Sql(url, "UPDATE leases SET epoch = 1");
  Sql(url, "INSERT INTO leases VALUES ('x', 1, '', '', now(), now())");
  std::ofstream(state(), std::ios::trunc) << "baton store memory 1\nstore -\nversion " << kSchemaMigration
                                          << "\nepoch 1000\n";
  batond::ServiceOptions options;
  options.state_file = state();
  RunningService service(url, options);
  EXPECT_THAT(RefusedWith(service, "has gone back"), HasSubstr("has gone back"));
}

// D1b: the database was restored, every batond has forgotten it, but a cell has not.
TEST_F(Prepared, AStoreThatWasRestoredIsToldByItsCellsAndLedAgainOnceItIsAccepted) {
  const std::string url = MigratedDatabase();
  batond::ServiceOptions options;
  options.state_file = state();
  std::string store;
  {
    RunningService service(url, options);
    service.WaitForLead();
    ScriptedCell cell(service, "cell-1");
    cell.Hello();
    store = cell.Welcome().store_id();
    const auto says = [&](const char* name) {
      ScriptedCell later(service, name);
      later.hello().set_store_id(store);
      later.hello().set_highest_epoch(1000);
      later.Hello();
      EXPECT_TRUE(later.WaitForEnd());
    };
    for (int i = 0; i < 3; ++i) says("cell-2");
    EXPECT_TRUE(service.Serving()) << "one cell's word stops nobody";
    // A leader that has not read yet which cells are registered believes nobody; a cell comes back, and says it again.
    EXPECT_TRUE(Eventually([&] {
      says("cell-2");
      says("cell-3");
      return !service.Serving();
    }));
    EXPECT_THAT(RefusedWith(service, "has gone back"), HasSubstr("has gone back"));
    EXPECT_FALSE(service.Serving());
  }
  // It is written into the database: each election takes an epoch, and one that has not met the cell would soon reach it.
  std::filesystem::remove(state());
  const Status again = Prepare(url);
  ASSERT_FALSE(again.ok()) << "whoever comes next, and remembers nothing";
  EXPECT_THAT(again.error().message, AllOf(HasSubstr("a leader of epoch 1000"), HasSubstr("--accept-store")));
  ASSERT_TRUE(Prepare(url, true).ok());
  RunningService service(url, options);
  service.WaitForLead();
  ScriptedCell cell(service, "cell-2");
  cell.hello().set_store_id(store);
  cell.hello().set_highest_epoch(1000);
  cell.Hello();
  EXPECT_GT(cell.Welcome().epoch(), 1000);
}

// Swapped, and meant so: its cells go on with the other one.
TEST_F(Prepared, CellsOfTheStoreThatWasReplacedAreTakenOverByTheOneThatWasAccepted) {
  Lead(MigratedDatabase());
  std::string lost;
  std::ifstream(state()) >> lost >> lost >> lost >> lost >> lost >> lost;  // "baton store memory 1", "store ID"
  const std::string url = MigratedDatabase();
  ASSERT_TRUE(Prepare(url, true).ok());
  batond::ServiceOptions options;
  options.state_file = state();
  RunningService service(url, options);
  service.WaitForLead();
  ScriptedCell cell(service, "cell-1");
  cell.hello().set_store_id(lost);
  cell.hello().set_highest_epoch(1);
  cell.Hello();
  EXPECT_THAT(cell.Welcome().accepted_store_ids(), ::testing::ElementsAre(lost));
  EXPECT_NE(cell.Welcome().store_id(), lost);
}

}  // namespace
}  // namespace baton
