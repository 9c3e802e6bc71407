// Cells that fall silent, come back, ignore what they are asked: over a whole service.
#include "tests/server/convergence_fixture.h"

namespace baton {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

batond::ServiceOptions Quick() {
  batond::ServiceOptions options;
  options.cell_lease = milliseconds(2000);
  options.heartbeat = milliseconds(200);
  options.converge_every = milliseconds(200);
  options.losses.wait_out = std::chrono::minutes(5);
  return options;
}

class ConvergencePassQuick : public ConvergencePass {
 protected:
  ConvergencePassQuick() : ConvergencePass(Quick()) {}
};

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
  EXPECT_FALSE(back.HasHeardStop(id));
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

TEST_F(ConvergencePassQuick, ACellThatIsLostAgainAndAgainIsGivenNothingForAWhile) {
  ScriptedCell steady(service, "steady");
  steady.Hello();
  steady.KeepBeating();
  const auto found = [&] {
    v2::ListCellsResponse cells;
    EXPECT_TRUE(service.cells->ListCells(Context().get(), {}, &cells).ok());
    for (const auto& one : cells.cells()) {
      if (one.cell_id() == "flapping") return one;
    }
    return v2::Cell();  // not committed yet: whoever waits for it looks again
  };
  for (int loss = 1; loss <= 2; ++loss) {
    auto flapping = std::make_unique<ScriptedCell>(service, "flapping");
    flapping->Hello();
    flapping.reset();
    ASSERT_TRUE(Eventually([&] { return found().losses() == loss && found().state() == "MISSING"; }));
  }
  ScriptedCell back(service, "flapping");
  back.Hello();
  back.KeepBeating();
  ASSERT_TRUE(Eventually([&] { return !found().held_off().empty(); }));
  EXPECT_EQ(found().cell_id(), "flapping");
  EXPECT_THAT(found().held_off(), HasSubstr("was lost 2 times lately"));
  EXPECT_EQ(found().losses(), 2);
  EXPECT_EQ(found().epoch(), 3);
  for (int i = 0; i < 4; ++i) RunOne(steady, "app-" + std::to_string(i));  // all of them, and none waits for the other
}

TEST_F(ConvergencePass, TwoCellsOfOneNameAreToldApart) {
  ScriptedCell first(service, "cell-1");
  first.hello().set_directory_id("here");
  first.Hello();
  first.KeepBeating();
  ScriptedCell second(service, "cell-1");
  second.hello().set_directory_id("there");
  second.Hello();
  ASSERT_TRUE(second.WaitForEnd());
  const grpc::Status refused = second.Finish();
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::ALREADY_EXISTS);
  EXPECT_THAT(refused.error_message(), HasSubstr("give one of them another --id"));
  ScriptedCell again(service, "cell-1");  // the same one, which lost its stream
  again.hello().set_directory_id("here");
  again.Hello();
  EXPECT_TRUE(first.WaitForEnd());
  RunOne(again, "app");
}

// batond --claim-ms: who was asked and says nothing is passed over, and its claim refused when it comes after all.
class ConvergencePassImpatient : public ConvergencePass {
 protected:
  static batond::ServiceOptions Impatient() {
    batond::ServiceOptions options;
    options.claim = milliseconds(200);
    return options;
  }
  ConvergencePassImpatient() : ConvergencePass(Impatient()) {}
};

TEST_F(ConvergencePassImpatient, ACellThatDoesNotClaimInTimeIsPassedOver) {
  ScriptedCell silent(service, "silent");
  silent.Hello();
  silent.KeepBeating();
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("app")).ok());
  const std::string id = silent.NextRun().actual_id();
  ScriptedCell other(service, "other");
  other.Hello();
  other.KeepBeating();
  const v2::RunOrder order = other.NextRun();
  EXPECT_EQ(order.actual_id(), id);
  EXPECT_EQ(other.Report(ScriptedCell::Claimed(id)).outcome(), v2::CellReportResult::APPLIED);
  EXPECT_EQ(silent.Report(ScriptedCell::Claimed(id, "-late")).outcome(), v2::CellReportResult::REFUSED);
}

}  // namespace
}  // namespace baton
