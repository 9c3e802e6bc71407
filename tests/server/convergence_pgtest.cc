// Convergence over a whole service: bulk sync, freshness, definitions, silent cells, and rows that were changed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/pg_fixture.h"
#include "tests/server/scripted_cell.h"

namespace baton {
namespace {

using grpc::StatusCode;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

ServiceOptions Quick() {
  ServiceOptions options;
  options.cell_lease = milliseconds(600);
  options.heartbeat = milliseconds(100);
  options.converge_every = milliseconds(200);
  options.losses.wait_out = std::chrono::minutes(5);
  return options;
}

class ConvergencePass : public testing::Test {
 protected:
  explicit ConvergencePass(ServiceOptions options = {}) : service({}, options) {}
  void SetUp() override { service.WaitForLead(); }

  v2::ConvergenceResponse Run() {
    v2::ConvergenceRequest request;
    request.set_run(true);
    v2::ConvergenceResponse report;
    EXPECT_TRUE(service.admin->Convergence(Context().get(), request, &report).ok());
    return report;
  }
  static v2::ConvergenceCategory Of(const v2::ConvergenceResponse& report, const std::string& name) {
    for (const auto& category : report.categories()) {
      if (category.name() == name) return category;
    }
    ADD_FAILURE() << "there is no category " << name;
    return {};
  }
  void Sql(const std::string& script) {
    const auto session = OpenSession(service.url());
    const SessionError error =
        session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) { return s.RunScript(script), true; });
    ASSERT_TRUE(error.ok()) << error.detail;
  }
  // An app with one instance that runs on the cell.
  std::string RunOne(ScriptedCell& cell, const std::string& guid, const std::string& definition = "v1") {
    auto app = RunningService::SmallApp(guid);
    app.mutable_desired_lrp()->mutable_strategy()->set_min_healthy_time_ms(0);
    app.mutable_desired_lrp()->mutable_definition()->set_definition_identifier(definition);
    EXPECT_TRUE(service.Desire(app).ok());
    return Start(cell);
  }
  static std::string Start(ScriptedCell& cell) {
    const v2::RunOrder order = cell.NextRun();
    cell.Report(ScriptedCell::Claimed(order.actual_id()));
    cell.Report(ScriptedCell::Started(order.actual_id()));
    return order.actual_id();
  }
  void UpdateTo(const std::string& guid, const std::string& definition) {
    v2::UpdateDesiredLRPRequest request;
    request.set_process_guid(guid);
    auto& full = *request.mutable_update()->mutable_desired_lrp();
    *full.mutable_definition() = RunningService::SmallApp(guid).desired_lrp().definition();
    full.mutable_definition()->set_definition_identifier(definition);
    auto* variable = full.mutable_definition()->mutable_run_info()->add_environment_variables();
    variable->set_name("V");
    variable->set_value(definition);
    const grpc::Status status = service.Update(request);
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
  std::vector<std::string> Definitions(const std::string& guid) {
    v2::ListDefinitionsRequest request;
    request.set_process_guid(guid);
    const auto context = Context();
    const auto stream = service.definitions->ListDefinitions(context.get(), request);
    std::vector<std::string> names;
    for (v2::ListDefinitionsResponse page; stream->Read(&page);) {
      for (const auto& definition : page.definitions()) names.push_back(definition.definition_identifier());
    }
    (void)stream->Finish();
    return names;
  }
  grpc::Status Pin(const std::string& guid, const std::string& definition, bool pinned) {
    v2::PinDefinitionRequest request;
    request.set_process_guid(guid);
    request.set_definition_identifier(definition);
    request.set_pinned(pinned);
    v2::PinDefinitionResponse response;
    return service.definitions->PinDefinition(Context().get(), request, &response);
  }
  std::string StateOf(const std::string& cell) {
    v2::ListCellsResponse cells;
    EXPECT_TRUE(service.cells->ListCells(Context().get(), {}, &cells).ok());
    for (const auto& one : cells.cells()) {
      if (one.cell_id() == cell) return one.state();
    }
    return "UNKNOWN";
  }

  RunningService service;
};

class ConvergencePassQuick : public ConvergencePass {
 protected:
  ConvergencePassQuick() : ConvergencePass(Quick()) {}
};

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
  EXPECT_FALSE(cell.WasToldToStop(id));
  v2::UpsertDomainRequest fresh;
  fresh.set_domain("test");
  v2::UpsertDomainResponse stored;
  ASSERT_TRUE(service.domains->UpsertDomain(Context().get(), fresh, &stored).ok());
  EXPECT_EQ(Of(Run(), "orphaned").found(), 1);
  EXPECT_TRUE(Eventually([&] { return cell.WasToldToStop(id); }, std::chrono::seconds(30)));
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
  EXPECT_FALSE(again.WasToldToStop(broken));
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
  EXPECT_EQ(service.Update(scale).error_code(), StatusCode::INTERNAL) << "it is left alone, and says why";
  scale.set_process_guid("well");
  EXPECT_TRUE(service.Update(scale).ok());
}

TEST_F(ConvergencePassQuick, ASilentCellIsLostAfterItsLeaseAndComesBackAsItWas) {
  auto lost = std::make_unique<ScriptedCell>(service, "lost");
  lost->Hello();
  const std::string id = RunOne(*lost, "app");
  ScriptedCell other(service, "other");
  other.Hello();
  other.KeepBeating();
  lost.reset();
  ASSERT_TRUE(Eventually([&] { return StateOf("lost") == "MISSING"; }));
  ASSERT_TRUE(Eventually([&] {
    for (const auto& lrp : service.Instances("app")) {
      if (lrp.actual_id() == id) return lrp.presence() == v2::SUSPECT;
    }
    return false;
  }));
  const v2::RunOrder order = other.NextRun();
  EXPECT_EQ(order.process_guid(), "app");
  EXPECT_EQ(order.index(), 0);
  // It comes back before the replacement runs: it holds its slot again, and there is exactly one.
  ScriptedCell back(service, "lost");
  auto& instance = *back.hello().add_instances();
  instance.set_actual_id(id);
  instance.set_instance_guid(id + "-run");
  instance.set_process_guid("app");
  instance.set_state(v2::CellInstance::RUNNING);
  instance.set_routable(true);
  back.Hello();
  EXPECT_TRUE(Eventually([&] {
    const auto rows = service.Instances("app");
    return rows.size() == 1 && rows[0].actual_id() == id && rows[0].presence() == v2::ORDINARY;
  }));
  back.KeepBeating();
  EXPECT_EQ(StateOf("lost"), "PRESENT");
  EXPECT_FALSE(back.WasToldToStop(id));
}

TEST_F(ConvergencePassQuick, WhereMostCellsFallSilentAtOnceTheRestIsWaitedOut) {
  std::vector<std::unique_ptr<ScriptedCell>> cells;
  for (const char* name : {"a", "b", "c", "d"}) {
    cells.push_back(std::make_unique<ScriptedCell>(service, name));
    cells.back()->Hello();
  }
  cells[3]->KeepBeating();
  for (int i = 0; i < 3; ++i) cells[static_cast<std::size_t>(i)].reset();
  v2::ConvergenceResponse report;
  ASSERT_TRUE(Eventually([&] {
    (void)service.admin->Convergence(Context().get(), {}, &report);
    return report.waited_out_size() == 1;
  }));
  EXPECT_THAT(report.waited_out(0).reason(), HasSubstr("of 4 cells are silent, and 2 may be taken for lost at once"));
  EXPECT_EQ(report.lost_cells_percent(), 50);
  std::map<std::string, int> states;
  for (const char* name : {"a", "b", "c", "d"}) ++states[StateOf(name)];
  EXPECT_EQ(states, (std::map<std::string, int>{{"MISSING", 2}, {"SILENT", 1}, {"PRESENT", 1}}));
}

TEST_F(ConvergencePassQuick, WhereEveryCellIsSilentNoneIsLost) {
  auto only = std::make_unique<ScriptedCell>(service, "only");
  only->Hello();
  const std::string id = RunOne(*only, "app");
  only.reset();
  v2::ConvergenceResponse report;
  ASSERT_TRUE(Eventually([&] {
    (void)service.admin->Convergence(Context().get(), {}, &report);
    return report.waited_out_size() == 1;
  }));
  EXPECT_THAT(report.waited_out(0).reason(), HasSubstr("no cell is present"));
  EXPECT_EQ(StateOf("only"), "SILENT");
  ASSERT_THAT(service.Instances("app"), SizeIs(1));
  EXPECT_EQ(service.Instances("app")[0].presence(), v2::ORDINARY);
}

// A cell that ignores what it is asked is asked nothing for a while; so is one that keeps getting lost.
TEST_F(ConvergencePass, ACellThatRejectsEverythingIsHeldOff) {
  ScriptedCell liar(service, "liar");
  liar.Hello();
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(service.Desire(RunningService::SmallApp("app-" + std::to_string(i))).ok());
    const v2::RunOrder order = liar.NextRun();
    v2::CellReport rejected;
    rejected.set_actual_id(order.actual_id());
    rejected.mutable_rejected()->set_reason("no room after all");
    liar.Report(rejected);
  }
  const auto held_off = [&] {
    v2::ListCellsResponse cells;
    EXPECT_TRUE(service.cells->ListCells(Context().get(), {}, &cells).ok());
    return cells.cells(0).held_off();
  };
  ASSERT_TRUE(Eventually([&] { return !held_off().empty(); }));
  EXPECT_THAT(held_off(), HasSubstr("took none of the last 3"));
  EXPECT_TRUE(Eventually([&] {
    const auto rows = service.Instances("app-0");
    return rows.size() == 1 && rows[0].placement_error().find("liar: took none of the last 3") != std::string::npos;
  }));
}

}  // namespace
}  // namespace baton
