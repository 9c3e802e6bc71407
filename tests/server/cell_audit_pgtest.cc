// What cells run and what rows say of it, after a hand has been in the rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/convergence_fixture.h"
#include "tests/server/storm_cells.h"

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CellOutOfStep : public ConvergencePass {
 protected:
  v2::ConvergenceCategory Found() { return Of(Run(), "cell_out_of_step"); }
  // The cell as it comes again, with an instance that it goes on running.
  static void Runs(ScriptedCell& cell, const std::string& guid, const std::string& id) {
    auto& instance = *cell.hello().add_instances();
    instance.set_actual_id(id);
    instance.set_instance_guid(id + "-run");
    instance.set_process_guid(guid);
    instance.set_state(v2::CellInstance::RUNNING);
  }
};

TEST_F(CellOutOfStep, AnInstanceWhoseRowWasDeletedByHandIsStopped) {
  ScriptedCell cell(service, "one");
  cell.KeepBeating();
  cell.Hello();
  const std::string lost = RunOne(cell, "lost");
  const std::string well = RunOne(cell, "well");
  EXPECT_EQ(Found().found(), 0);
  Sql("DELETE FROM actual_lrps WHERE process_guid = 'lost'");
  const auto found = Found();
  EXPECT_EQ(found.found(), 1);
  EXPECT_TRUE(found.repaired());
  EXPECT_THAT(found.examples(), ElementsAre("one: lost, " + lost));
  EXPECT_THAT(cell.Finish().error_message(), HasSubstr("say again what runs there"));
  ScriptedCell again(service, "one");
  Runs(again, "lost", lost);
  Runs(again, "well", well);
  again.KeepBeating();
  again.Hello();
  EXPECT_TRUE(again.WasToldToStop(lost));
  EXPECT_FALSE(again.HasHeardStop(well));
  EXPECT_EQ(Start(again).empty(), false) << "its slot is served anew";
  EXPECT_EQ(Found().found(), 0);
}

TEST_F(CellOutOfStep, ARowOfWhatNobodyRunsIsStartedAnew) {
  ScriptedCell cell(service, "one");
  cell.KeepBeating();
  cell.Hello();
  const std::string id = RunOne(cell, "app");
  Sql("UPDATE desired_lrps SET instances = 2; INSERT INTO actual_lrps SELECT (jsonb_populate_record(a, "
      "jsonb_build_object('actual_id', "
      "'theirs', 'instance_guid', 'theirs-run', 'instance_index', 1))).* FROM actual_lrps a");
  EXPECT_EQ(Found().found(), 1);
  EXPECT_TRUE(cell.WaitForEnd());
  ScriptedCell again(service, "one");
  Runs(again, "app", id);
  again.KeepBeating();
  again.Hello();
  EXPECT_EQ(Start(again), "theirs") << "the row's own start";
  EXPECT_FALSE(again.HasHeardStop(id));
  EXPECT_EQ(Found().found(), 0);
}

TEST_F(CellOutOfStep, WhatItWasOnlyToldToRunIsNone) {
  ScriptedCell cell(service, "one");
  cell.KeepBeating();
  cell.Hello();
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("app")).ok());
  const std::string id = cell.NextRun().actual_id();
  EXPECT_EQ(Found().found(), 0) << "ordered";
  cell.Report(ScriptedCell::Claimed(id));
  EXPECT_EQ(Found().found(), 0) << "claimed";
  cell.Report(ScriptedCell::Crashed(id));
  EXPECT_EQ(Found().found(), 0) << "crashed";
}

TEST_F(CellOutOfStep, AnAppThatCannotBeReadIsNoReasonToAsk) {
  ScriptedCell cell(service, "one");
  cell.KeepBeating();
  cell.Hello();
  RunOne(cell, "broken");
  Sql("UPDATE actual_lrps SET net_info = 'rubbish' WHERE process_guid = 'broken'");
  const auto report = Run();
  EXPECT_EQ(Of(report, "unreadable_row").found(), 1);
  EXPECT_THAT(Of(report, "cell_out_of_step").examples(), IsEmpty());
}

TEST_F(CellOutOfStep, NothingIsFoundWhileInstancesComeAndGo) {
  StormCells cells(2, {service.address()});
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("app")).ok());
  ExpectNoneBesideWrites("cell_out_of_step", "app", [](int i, auto& update) { update.set_instances(i % 8); });
}

}  // namespace
}  // namespace baton
