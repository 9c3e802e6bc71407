// Convergence over a whole service: bulk sync, freshness, definitions, and rows that were changed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <optional>
#include <thread>

#include "orchestrator/routing/route_table.h"
#include "sql/read/pg_reader.h"
#include "sql/read/pg_routed_apps.h"
#include "tests/fakes/silent_log.h"
#include "tests/server/convergence_fixture.h"
#include "tests/server/two_routed_apps.h"

namespace baton {
namespace {

using grpc::StatusCode;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

// Cloud Controller's way: what it wants against what is here, by definition identifier; then its word that it is all.
TEST_F(ConvergencePass, AControllerSyncsInBulk) {
  struct Wanted {
    int instances;
    std::string definition;
  };
  std::map<std::string, Wanted> wanted = {{"stays", {1, "v1"}}, {"grows", {3, "v1"}}, {"changes", {1, "v2"}}, {"new", {1, "v1"}}};
  for (const std::string guid : {"stays", "grows", "changes", "gone"}) {
    auto app = RunningService::SmallApp(guid);
    app.mutable_desired_lrp()->mutable_definition()->set_definition_identifier("v1");
    ASSERT_TRUE(service.Desire(app).ok());
  }
  const auto infos = [&] {
    std::map<std::string, v2::DesiredLRPSchedulingInfo> found;
    v2::ListDesiredLRPsRequest request;
    request.set_domain("test");
    const auto context = Context();
    const auto stream = service.apps->ListSchedulingInfos(context.get(), request);
    for (v2::ListSchedulingInfosResponse page; stream->Read(&page);) {
      for (const auto& info : page.scheduling_infos()) found[info.process_guid()] = info;
    }
    EXPECT_TRUE(stream->Finish().ok());
    return found;
  };
  const auto here = infos();
  for (const auto& [guid, info] : here) {
    if (wanted.contains(guid)) continue;
    v2::RemoveDesiredLRPRequest remove;
    remove.set_process_guid(guid);
    v2::RemoveDesiredLRPResponse removed;
    ASSERT_TRUE(service.apps->RemoveDesiredLRP(Context().get(), remove, &removed).ok());
  }
  for (const auto& [guid, want] : wanted) {
    if (!here.contains(guid)) {
      auto app = RunningService::SmallApp(guid, want.instances);
      app.mutable_desired_lrp()->mutable_definition()->set_definition_identifier(want.definition);
      ASSERT_TRUE(service.Desire(app).ok());
      continue;
    }
    if (here.at(guid).active_definition() != want.definition) UpdateTo(guid, want.definition);
    if (here.at(guid).instances() != want.instances) {
      v2::UpdateDesiredLRPRequest scale;
      scale.set_process_guid(guid);
      scale.mutable_update()->set_instances(want.instances);
      ASSERT_TRUE(service.Update(scale).ok());
    }
  }
  v2::UpsertDomainRequest fresh;
  fresh.set_domain("test");
  fresh.set_ttl_s(120);
  v2::UpsertDomainResponse stored;
  ASSERT_TRUE(service.domains->UpsertDomain(Context().get(), fresh, &stored).ok());
  EXPECT_GT(stored.domain().expires_at(), 0);
  std::map<std::string, std::pair<int, std::string>> now;
  for (const auto& [guid, info] : infos()) now[guid] = {info.instances(), info.active_definition()};
  EXPECT_THAT(now, UnorderedElementsAre(std::pair{"stays", std::pair{1, "v1"}}, std::pair{"grows", std::pair{3, "v1"}},
                                        std::pair{"changes", std::pair{1, "v2"}}, std::pair{"new", std::pair{1, "v1"}}));
  v2::ListDomainsResponse domains;
  ASSERT_TRUE(service.domains->ListDomains(Context().get(), {}, &domains).ok());
  ASSERT_EQ(domains.domains_size(), 1);
  EXPECT_EQ(domains.domains(0).domain(), "test");
}

TEST_F(ConvergencePass, AbsurdFreshnessIsRefused) {
  const auto refusal = [&](const std::string& domain, std::int64_t ttl) {
    v2::UpsertDomainRequest request;
    request.set_domain(domain);
    request.set_ttl_s(ttl);
    v2::UpsertDomainResponse response;
    return service.domains->UpsertDomain(Context().get(), request, &response);
  };
  EXPECT_EQ(refusal("", 1).error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(refusal(std::string(300, 'd'), 1).error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(refusal("d", -1).error_message(), HasSubstr("ttl_s is -1"));
  EXPECT_THAT(refusal("d", std::int64_t{1} << 62).error_message(), HasSubstr("ttl_s"));
  EXPECT_TRUE(refusal("d", 0).ok()) << "for ever";
}

TEST_F(ConvergencePass, AfterARollAndAPassTheActiveOneAndTheHistoryRemain) {
  ScriptedCell cell(service, "one");
  cell.Hello();
  std::string running = RunOne(cell, "app");
  for (const std::string version : {"v2", "v3", "v4", "v5"}) {
    UpdateTo("app", version);
    const std::string next = Start(cell);
    ASSERT_TRUE(Eventually([&] { return cell.WasToldToStop(running); }));
    v2::CellReport stopped;
    stopped.set_actual_id(running);
    stopped.set_instance_guid(running + "-run");
    stopped.mutable_stopped();
    cell.Report(stopped);
    running = next;
    if (version == "v2") {
      EXPECT_TRUE(Pin("app", "v1", true).ok());
    }
    ASSERT_TRUE(Eventually([&] {
      v2::ListRollsResponse rolls;
      const auto context = Context();
      const auto stream = service.rolls->ListRolls(context.get(), {});
      v2::ListRollsResponse page;
      bool open = false;
      while (stream->Read(&page)) open |= page.rolls_size() > 0;
      (void)stream->Finish();
      return !open;
    }));
  }
  Run();
  EXPECT_THAT(Definitions("app"), UnorderedElementsAre("v1", "v3", "v4", "v5")) << "v1 is pinned";
  EXPECT_TRUE(Pin("app", "v1", false).ok());
  EXPECT_EQ(Of(Run(), "collectable_definition").found(), 1);
  EXPECT_THAT(Definitions("app"), UnorderedElementsAre("v3", "v4", "v5"));
  v2::UpdateDesiredLRPRequest less;
  less.set_process_guid("app");
  less.mutable_update()->set_definition_history(1);
  ASSERT_TRUE(service.Update(less).ok());
  Run();
  EXPECT_THAT(Definitions("app"), UnorderedElementsAre("v4", "v5"));
  EXPECT_EQ(Pin("app", "v1", true).error_code(), StatusCode::NOT_FOUND);
  less.mutable_update()->set_definition_history(101);
  EXPECT_EQ(service.Update(less).error_code(), StatusCode::INVALID_ARGUMENT);
}

// The seed's question: cleanup between an update and its first launch.
TEST_F(ConvergencePass, ADefinitionThatHasLaunchedNothingYetIsKept) {
  auto app = RunningService::SmallApp("app");
  ASSERT_TRUE(service.Desire(app).ok());
  UpdateTo("app", "v2");  // no cell is there: nothing of it can be launched
  for (int i = 0; i < 3; ++i) Run();
  EXPECT_THAT(Definitions("app"), Contains("v2"));
}

TEST_F(ConvergencePass, OrphansGoOnlyWhereTheirDomainIsFresh) {
  ScriptedCell cell(service, "one");
  cell.Hello();
  cell.KeepBeating();
  const std::string id = RunOne(cell, "app");
  ASSERT_TRUE(Eventually([&] { return !service.Instances("app").empty() && service.Instances("app")[0].state() == "RUNNING"; }));
  Sql("DELETE FROM rolls; DELETE FROM desired_lrps");
  const auto left_alone = Of(Run(), "stale_domain_orphan");
  EXPECT_EQ(left_alone.found(), 1);
  EXPECT_FALSE(left_alone.repaired());
  EXPECT_THAT(left_alone.examples(0), AllOf(HasSubstr("app/0"), HasSubstr("'test' is not fresh")));
  EXPECT_FALSE(cell.HasHeardStop(id));
  v2::UpsertDomainRequest fresh;
  fresh.set_domain("test");
  v2::UpsertDomainResponse stored;
  ASSERT_TRUE(service.domains->UpsertDomain(Context().get(), fresh, &stored).ok());
  EXPECT_EQ(Of(Run(), "orphaned").found(), 1);
  EXPECT_TRUE(Eventually([&] { return cell.WasToldToStop(id); }, std::chrono::seconds(30)));
}

// A new leader reads no more of the rows than this, page by page, and the audit compares its table with all of them.
TEST_F(ConvergencePass, WhatANewLeaderRoutesIsWhatTheRowsSay) {
  ScriptedCell cell(service, "one");
  cell.Hello();
  RunOne(cell, "without-a-route");
  RouteTwoApps(service, cell);
  const auto take = [](const AppState& app, RouteTable& table, bool compare) {
    std::vector<ActualLrp> lrps;
    for (const auto& [id, lrp] : app.actuals) lrps.push_back(lrp);
    RouteDelta delta;
    if (!compare) return table.SetApp(app.guid, RoutingOf(app), lrps, delta);
    EXPECT_TRUE(table.Matches(app.guid, RoutingOf(app), app.actuals)) << app.guid.str();
  };
  RouteTable table;
  PgRoutedApps routed(service.url());
  int apps = 0;
  for (std::optional<ProcessGuid> after(""); after;) {
    const auto page = routed.ReadPage(*after, 2);
    ASSERT_TRUE(page);
    EXPECT_THAT(page->broken, IsEmpty());
    for (const AppState& app : page->apps) ++apps, take(app, table, /*compare=*/false);
    after = page->next;
  }
  EXPECT_EQ(apps, 3);
  EXPECT_EQ(table.Serving().size(), 2U);
  const auto session = OpenSession(service.url());
  SilentLog log;
  const Result<AppPage> all = PgReader(*session, log).ReadApps(ProcessGuid(), 10);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->apps.size(), 3U);
  for (const AppState& app : all->apps) take(app, table, /*compare=*/true);
}

// An address that a hand changed: routers hear the rows' one from the pass that finds it, and the next finds none.
TEST_F(ConvergencePass, StaleRoutesAreToldAnewByOnePass) {
  ScriptedCell cell(service, "one");
  cell.Hello();
  cell.KeepBeating();
  RouteTwoApps(service, cell);
  const auto port_of = [&](const std::string& hostname) { return PortServing(service, hostname); };
  ASSERT_TRUE(Eventually([&] { return port_of("a61001.example") == 61001 && port_of("a61002.example") == 61002; }));
  EXPECT_EQ(Of(Run(), "stale_routes").found(), 0);
  Sql("UPDATE actual_lrps SET net_info = (SELECT net_info FROM actual_lrps WHERE process_guid = 'app-61002')"
      " WHERE process_guid = 'app-61001'");
  const auto stale = Of(Run(), "stale_routes");
  EXPECT_EQ(stale.found(), 1);
  EXPECT_TRUE(stale.repaired());
  EXPECT_THAT(stale.examples(), ElementsAre(HasSubstr("app-61001")));
  EXPECT_TRUE(Eventually([&] { return port_of("a61001.example") == 61002; }));
  EXPECT_EQ(Of(Run(), "stale_routes").found(), 0);
}

// Rows that were changed by hand: named, never deleted, never acted on, and all others go on.
TEST_F(ConvergencePass, RowsThatCannotBeReadAreNamedAndLeftAlone) {
  auto cell = std::make_unique<ScriptedCell>(service, "one");
  cell->Hello();
  const std::string broken = RunOne(*cell, "broken");
  RunOne(*cell, "well");
  Sql("UPDATE actual_lrps SET net_info = 'rubbish' WHERE process_guid = 'broken'");
  const auto category = Of(Run(), "unreadable_row");
  EXPECT_EQ(category.found(), 1);
  EXPECT_THAT(category.examples(0), AllOf(HasSubstr("broken"), HasSubstr("net_info")));
  const auto context = Context();
  const auto stream = service.lrps->ListActualLRPs(context.get(), {});
  v2::ListActualLRPsResponse page;
  ASSERT_TRUE(stream->Read(&page));
  ASSERT_EQ(page.actual_lrps_size(), 1);
  EXPECT_EQ(page.actual_lrps(0).process_guid(), "well");
  ASSERT_EQ(page.unreadable_size(), 1);
  EXPECT_THAT(page.unreadable(0).row(), HasSubstr(broken));
  // The cell comes again and says what it runs: it is not told to stop what only cannot be read.
  ScriptedCell again(service, "one");
  auto& instance = *again.hello().add_instances();
  instance.set_actual_id(broken);
  instance.set_instance_guid(broken + "-run");
  instance.set_process_guid("broken");
  instance.set_state(v2::CellInstance::RUNNING);
  again.Hello();
  RunOne(again, "later");
  EXPECT_FALSE(again.HasHeardStop(broken));
  EXPECT_TRUE(Exists(service.url(), "actual_lrps WHERE process_guid = 'broken'"));
}

TEST_F(ConvergencePass, AStateThatIsNoneAndAReferenceToNothingAreNamedToo) {
  ScriptedCell cell(service, "one");
  cell.Hello();
  for (const std::string guid : {"typo", "dangling", "well"}) RunOne(cell, guid);
  Sql("ALTER TABLE actual_lrps DROP CONSTRAINT actual_lrps_state_check,"
      " DROP CONSTRAINT actual_lrps_routable_runs, DROP CONSTRAINT actual_lrps_cell_while_it_may_run,"
      " DROP CONSTRAINT actual_lrps_guid_while_it_may_run, DROP CONSTRAINT actual_lrps_definition");
  Sql("ALTER TABLE desired_lrps DROP CONSTRAINT desired_lrps_active, DROP CONSTRAINT desired_lrps_healthy;"
      "ALTER TABLE rolls DROP CONSTRAINT rolls_target, DROP CONSTRAINT rolls_source");
  Sql("UPDATE actual_lrps SET state = 'RUNING' WHERE process_guid = 'typo';"
      "DELETE FROM definitions WHERE process_guid = 'dangling'");
  const auto report = Run();
  EXPECT_THAT(Of(report, "broken_reference").examples(), Contains(HasSubstr("dangling")));
  EXPECT_THAT(Of(report, "unreadable_row").examples(), Contains(HasSubstr("RUNING")));
  v2::UpdateDesiredLRPRequest scale;
  scale.mutable_update()->set_instances(2);
  scale.set_process_guid("dangling");
  EXPECT_EQ(service.Update(scale).error_code(), StatusCode::DATA_LOSS) << "it is left alone, and says why";
  scale.set_process_guid("well");
  EXPECT_TRUE(service.Update(scale).ok());
  EXPECT_THAT(Definitions("well"), SizeIs(1)) << "lists go on beside them";
}

// A thousand rolls that end within a pass were a thousand "bugs: report it".
TEST_F(ConvergencePass, ARollThatEndsWhileThePassLooksIsNotTakenForOneThatNobodyDrives) {
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("app")).ok());  // there is no cell: its roll stays open
  EXPECT_EQ(Of(Run(), "undriven_roll").found(), 0);
  Session::SetHook([this, done = false](std::string_view statement) mutable {
    thread_local bool looking = false;
    if (statement == "SweepRolls") looking = true;
    if (statement != "COMMIT" || !std::exchange(looking, false) || std::exchange(done, true)) return;
    v2::RemoveDesiredLRPRequest remove;
    remove.set_process_guid("app");
    v2::RemoveDesiredLRPResponse removed;
    EXPECT_TRUE(service.apps->RemoveDesiredLRP(Context().get(), remove, &removed).ok());
  });
  EXPECT_EQ(Of(Run(), "undriven_roll").found(), 0);
  Session::SetHook({});
}

// More than one pass deletes: what is left is not left for minutes, or a fleet that writes much would fill the disk.
TEST(OldAudit, IsDeletedByPassesThatFollowUntilNothingIsLeft) {
  const std::string url = MigratedDatabase();
  const auto session = OpenSession(url);
  const SessionError made = session->Transact(Session::Isolation::kReadCommitted, [](Session& s) {
    s.RunScript("INSERT INTO audit (at, actor, method, process_guid, request_id, outcome) "
                "SELECT now() - interval '1 year', 'a', 'm', 'g', '', 'OK' FROM generate_series(1, 205000)");
    return true;
  });
  ASSERT_TRUE(made.ok()) << made.detail;
  RunningService service(url);
  service.WaitForLead();
  EXPECT_TRUE(Eventually([&] {
    v2::ConvergenceRequest run;
    run.set_run(true);
    v2::ConvergenceResponse report;
    EXPECT_TRUE(service.admin->Convergence(Context().get(), run, &report).ok());
    return !Exists(url, "audit WHERE actor = 'a'");
  }));
}

v2::DesireLRPRequest Routed(const std::string& guid) {
  auto request = RunningService::SmallApp(guid);
  (*request.mutable_desired_lrp()->mutable_routes()->mutable_routes())["cf-router"] =
      R"([{"hostnames":["lonely.example"],"port":8080}])";
  return request;
}

// Two runs one after the other were two looks.
TEST_F(ConvergencePass, ARouteIsNotUnservedBecauseSomebodyLooksTwice) {
  ASSERT_TRUE(service.Desire(Routed("lonely")).ok());
  (void)Run();
  EXPECT_EQ(Of(Run(), "unserved_route").found(), 0);
}

batond::ServiceOptions ThatCountOften() {
  batond::ServiceOptions options;
  options.converge_every = milliseconds(100);
  options.count_every = milliseconds(400);
  return options;
}

class OftenCountingPass : public ConvergencePass {
 protected:
  OftenCountingPass() : ConvergencePass(ThatCountOften()) {}
};

TEST_F(OftenCountingPass, ARouteThatNobodyServesIsFoundAndCounted) {
  ASSERT_TRUE(service.Desire(Routed("lonely")).ok());
  v2::ConvergenceCategory found;
  EXPECT_TRUE(Eventually([&] {
    v2::ConvergenceResponse report;
    EXPECT_TRUE(service.admin->Convergence(Context().get(), {}, &report).ok());
    found = Of(report, "unserved_route");
    return found.found() == 1;
  }));
  EXPECT_FALSE(found.repaired()) << "a person has to look";
  EXPECT_THAT(service.Metrics(), HasSubstr("baton_routes_unserved 1"));
}

// It gave the report of the pass before, and all was well.
TEST_F(ConvergencePass, APassThatFailsIsNoReport) {
  Sql("ALTER TABLE cells RENAME TO cells_that_are_away");
  v2::ConvergenceRequest request;
  request.set_run(true);
  v2::ConvergenceResponse report;
  const grpc::Status status = service.admin->Convergence(Context().get(), request, &report);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(status.error_message(), HasSubstr("the pass failed: "));
  EXPECT_EQ(report.categories_size(), 0);
}

// Of more than a page of apps. It read what was left of the rows, which may be a million, and the process' end waited for it.
TEST_F(ConvergencePass, OneIsBrokenOffWhereAnotherLeads) {
  for (int i = 0; i <= 500; ++i) EXPECT_TRUE(service.Desire(RunningService::SmallApp("app-" + std::to_string(i), 0)).ok());
  (void)Run();
  std::atomic<int> pages = 0;
  Session::SetHook([&, audit = std::optional<std::thread::id>()](std::string_view statement) mutable {
    const auto here = std::this_thread::get_id();  // a standby reads them, too
    if (statement != "ListApps" || audit.value_or(here) != here || ++pages > 1) return;
    audit = here;
    Sql("UPDATE leases SET epoch = epoch + 1, address = 'another:1', expires_at = clock_timestamp() + interval '1 minute'");
    EXPECT_TRUE(Eventually([&] {
      v2::PingResponse ping;
      return service.admin->Ping(Context().get(), {}, &ping).ok() && ping.leader_address() == "another:1";
    }));
  });
  v2::ConvergenceRequest request;
  request.set_run(true);
  v2::ConvergenceResponse report;
  const grpc::Status status = service.admin->Convergence(Context().get(), request, &report);
  Session::SetHook({});
  EXPECT_THAT(status.error_message(), HasSubstr("the pass was broken off"));
  EXPECT_EQ(std::pair(status.error_code(), pages.load()), std::pair(StatusCode::UNAVAILABLE, 1));
}

}  // namespace
}  // namespace baton
