// What cells reject, and whom that concerns: over a whole service.
#include <optional>

#include "tests/server/convergence_fixture.h"

namespace baton {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using RejectedReport = v2::CellReport::Rejected;

constexpr char kNoMemory[] = "insufficient memory: 512 MiB wanted, 100 free";

class Rejections : public ConvergencePass {
 protected:
  std::string HeldOff(const std::string& cell) {
    v2::ListCellsResponse cells;
    EXPECT_TRUE(service.cells->ListCells(Context().get(), {}, &cells).ok());
    for (const auto& one : cells.cells()) {
      if (one.cell_id() == cell) return one.held_off();
    }
    return "";
  }
  v2::ActualLRP Only(const std::string& guid) {
    const auto rows = service.Instances(guid);
    return rows.size() == 1 ? rows[0] : v2::ActualLRP();
  }
};

// Issue 20: beside an app that every cell rejected, the roll of another one took 118 s in place of 4.3 s.
TEST_F(Rejections, AnAppThatNoCellTakesKeepsNobodyElseWaiting) {
  ScriptedCell cell(service, "cell-1");
  cell.Hello();
  cell.KeepBeating();
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("big")).ok());
  int asked = 0;
  // Each other app is desired while the big one is rejected, and is the next order but for the big one's.
  for (int i = 0; i < 6; ++i) {
    const std::string other = "app-" + std::to_string(i);
    if (i > 0) {
      ASSERT_TRUE(service.Desire(RunningService::SmallApp(other)).ok());
    }
    for (;;) {
      const v2::RunOrder order = cell.NextRun();
      if (order.process_guid() == "big") {
        ++asked;
        cell.Report(ScriptedCell::Rejected(order.actual_id(), kNoMemory, RejectedReport::MEMORY));
        if (i == 0 && asked == 3) break;
        continue;
      }
      EXPECT_EQ(order.process_guid(), other);
      EXPECT_EQ(cell.Report(ScriptedCell::Claimed(order.actual_id())).outcome(), v2::CellReportResult::APPLIED);
      cell.Report(ScriptedCell::Started(order.actual_id()));
      break;
    }
    EXPECT_EQ(HeldOff("cell-1"), "");
  }
  EXPECT_LE(asked, 8) << "its own orders wait longer and longer";
  EXPECT_TRUE(Eventually([&] { return Only("big").placement_error() == std::string("cell-1: refused: ") + kNoMemory; }))
      << Only("big").placement_error();
}

TEST_F(Rejections, ACellThatRejectsSeveralAppsForAReasonOfItsOwnIsHeldOff) {
  ScriptedCell ill(service, "ill");
  ill.Hello();
  ill.KeepBeating();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(service.Desire(RunningService::SmallApp("app-" + std::to_string(i))).ok());
  std::set<std::string> apps;
  while (apps.size() < 3) {
    const v2::RunOrder order = ill.NextRun();
    ill.Report(ScriptedCell::Rejected(order.actual_id(), "cannot fork: Resource temporarily unavailable", RejectedReport::CELL));
    apps.insert(order.process_guid());
  }
  ASSERT_TRUE(Eventually([&] {
    const v2::ActualLRP lrp = Only("app-0");
    return lrp.placement_error().find("rejected orders of several apps for a reason of its own: cannot fork") !=
           std::string::npos;
  })) << Only("app-0").placement_error();
}

TEST_F(Rejections, ARejectionAfterTheClaimIsNoCrash) {
  ScriptedCell cell(service, "cell-1");
  cell.Hello();
  cell.KeepBeating();
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("app")).ok());
  const v2::RunOrder order = cell.NextRun();
  ASSERT_EQ(cell.Report(ScriptedCell::Claimed(order.actual_id())).outcome(), v2::CellReportResult::APPLIED);
  v2::CellReport report =
      ScriptedCell::Rejected(order.actual_id(), "insufficient host ports: 1 wanted, 0 free", RejectedReport::HOST_PORTS);
  report.set_instance_guid(order.actual_id() + "-run");
  EXPECT_EQ(cell.Report(report).outcome(), v2::CellReportResult::APPLIED);
  const v2::ActualLRP lrp = Only("app");
  EXPECT_EQ(lrp.state(), "UNCLAIMED");
  EXPECT_EQ(lrp.crash_count(), 0);
  EXPECT_THAT(lrp.placement_error(), HasSubstr("insufficient host ports: 1 wanted, 0 free"));
  const auto rejected_at = std::chrono::steady_clock::now();
  const v2::RunOrder again = cell.NextRun();
  EXPECT_GE(std::chrono::steady_clock::now() - rejected_at, std::chrono::milliseconds(800))
      << "it is not asked again before the leader knows what it said";
  EXPECT_EQ(again.actual_id(), order.actual_id());
  const v2::CellReportResult claimed = cell.Report(ScriptedCell::Claimed(order.actual_id(), "-again"));
  EXPECT_EQ(claimed.outcome(), v2::CellReportResult::APPLIED) << claimed.message();
  cell.Report(ScriptedCell::Started(order.actual_id(), "-again"));
  report.set_instance_guid(order.actual_id() + "-again");
  EXPECT_EQ(cell.Report(report).outcome(), v2::CellReportResult::REFUSED) << "what runs is not rejected";
}

// batond --claim-ms: an order that is not answered is waited for far longer than a test waits.
class RejectionsUnhurried : public ConvergencePass {
 protected:
  static batond::ServiceOptions Unhurried() {
    batond::ServiceOptions options;
    options.claim = std::chrono::hours(1);
    return options;
  }
  RejectionsUnhurried() : ConvergencePass(Unhurried()) {
    service.WaitForLead();
    full.emplace(service, "full");
    full->Hello();
    full->KeepBeating();
  }
  // So many orders of the app are out to a cell that has no room, and another cell comes.
  std::vector<v2::RunOrder> Order(int instances) {
    EXPECT_TRUE(service.Desire(RunningService::SmallApp("app", instances)).ok());
    std::vector<v2::RunOrder> orders;
    for (int i = 0; i < instances; ++i) orders.push_back(full->NextRun());
    other.emplace(service, "other");
    other->Hello();
    other->KeepBeating();
    return orders;
  }

  std::optional<ScriptedCell> full, other;
};

TEST_F(RejectionsUnhurried, WhatOneCellRejectsIsOrderedOfAnotherAtOnce) {
  const std::string id = Order(1)[0].actual_id();
  full->Report(ScriptedCell::Rejected(id, kNoMemory, RejectedReport::MEMORY));
  EXPECT_EQ(other->NextRun().actual_id(), id);
}

TEST_F(RejectionsUnhurried, AClaimLetsTheNextOfWhatWasRejectedBeOrdered) {
  for (const v2::RunOrder& order : Order(2)) {
    full->Report(ScriptedCell::Rejected(order.actual_id(), kNoMemory, RejectedReport::MEMORY));
  }
  const std::string first = other->NextRun().actual_id();
  other->Report(ScriptedCell::Claimed(first));  // until then its app is asked of one cell at a time
  EXPECT_NE(other->NextRun().actual_id(), first);
}

TEST_F(Rejections, HostPortsAreCounted) {
  ScriptedCell cell(service, "cell-1");
  cell.hello().set_host_ports(1);
  cell.Hello();
  cell.KeepBeating();
  auto app = RunningService::SmallApp("app");
  app.mutable_desired_lrp()->mutable_definition()->mutable_run_info()->clear_ports();
  for (const std::uint32_t port : {8080u, 2222u}) {
    app.mutable_desired_lrp()->mutable_definition()->mutable_run_info()->add_ports(port);
  }
  ASSERT_TRUE(service.Desire(app).ok());
  EXPECT_TRUE(Eventually([&] { return Only("app").placement_error() == "cell-1: needs 2 host ports, has 1"; }))
      << Only("app").placement_error();
}

TEST_F(Rejections, TheRefusalOfAnUnreadableReportCarriesTheLeadersEpoch) {
  ScriptedCell cell(service, "cell-1");
  cell.Hello();
  cell.Welcome();
  v2::CellReport empty;
  empty.set_actual_id("a");
  empty.set_instance_guid("b");
  EXPECT_EQ(cell.Report(empty).outcome(), v2::CellReportResult::REFUSED);
  EXPECT_THAT(cell.EpochsHeard(), SizeIs(1));
  EXPECT_GT(*cell.EpochsHeard().begin(), 0);
}

TEST_F(Rejections, AHelloThatNamesAnotherCellsInstancesIsToldToStopThem) {
  ScriptedCell owner(service, "owner");
  owner.Hello();
  owner.KeepBeating();
  const std::string id = RunOne(owner, "app");
  for (const auto state : {v2::CellInstance::RUNNING, v2::CellInstance::STARTING}) {
    ScriptedCell thief(service, "thief");
    auto& instance = *thief.hello().add_instances();
    instance.set_actual_id(id);
    instance.set_instance_guid(id + "-run");
    instance.set_process_guid("app");
    instance.set_state(state);
    thief.Hello();
    EXPECT_TRUE(thief.WasToldToStop(id)) << v2::CellInstance::State_Name(state);
  }
  EXPECT_FALSE(owner.HasHeardStop(id));
  EXPECT_EQ(Only("app").instance_key().cell_id(), "owner");
}

}  // namespace
}  // namespace baton
