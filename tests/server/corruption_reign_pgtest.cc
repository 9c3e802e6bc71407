// A leader begins, and cells come to it, over an app of which nothing can be read.
#include "tests/server/corruption_fixture.h"

namespace baton {
namespace {

class BrokenReign : public Corruption {
 protected:
  void SetUp() override {
    Corruption::SetUp();
    ScriptedCell cell(service, "cell-1");
    cell.Hello();
    while (running_.size() < 3) {
      const v2::RunOrder order = cell.NextRun();
      cell.Report(ScriptedCell::Claimed(order.actual_id()));
      cell.Report(ScriptedCell::Started(order.actual_id()));
      running_[order.process_guid()] = order.actual_id();
    }
    Keep();
    service.Stop();
  }
  void BreakAll(const Damage& way) {
    for (const Column& column : Columns()) {
      if (column.type != "bytea") continue;
      ASSERT_TRUE(Break(column, With(way.sql, column.name))) << column.table << column.name;
    }
  }
  static std::set<std::string> Listed(RunningService& next, std::string& named) {
    std::map<std::string, Seen> all;
    ReadListsOfV2(next, all);
    const Seen& seen = all["ListDesiredLRPs"];
    EXPECT_TRUE(seen.status.ok()) << seen.status.error_message();
    named = seen.named;
    return seen.listed;
  }
  // The cell comes to it with all that runs there.
  void ExpectNothingIsStopped(RunningService& next) {
    ScriptedCell cell(next, "cell-1");
    auto here = running_;
    here["gone"] = "stray";
    for (const auto& [guid, id] : here) {
      v2::CellInstance& instance = *cell.hello().add_instances();
      instance.set_actual_id(id);
      instance.set_instance_guid(id + "-run");
      instance.set_process_guid(guid);
      instance.set_state(v2::CellInstance::RUNNING);
    }
    cell.Hello();
    ASSERT_TRUE(cell.WasToldToStop("stray")) << "its rows were not compared";
    for (const auto& [guid, id] : running_) EXPECT_FALSE(cell.HasHeardStop(id)) << guid;
  }

  std::map<std::string, std::string> running_;  // by app
};

TEST_F(BrokenReign, LeadsAllOthersAndStopsNothing) {
  for (const Damage& way : kWaysOfBlobs) {
    SCOPED_TRACE(way.name);
    BreakAll(way);
    RunningService next(service.url());
    next.WaitForLead();
    std::string named;
    const auto listed = Listed(next, named);
    EXPECT_TRUE(listed.contains("a") && listed.contains("z"));
    EXPECT_TRUE(listed.contains(kBroken) || named.find(kBroken) != named.npos) << named;
    ExpectNothingIsStopped(next);
    v2::UpdateDesiredLRPRequest update;
    update.set_process_guid("a");
    update.mutable_update()->set_annotation(way.name);
    EXPECT_TRUE(next.Update(update).ok());
    next.Stop();
    PutBack();
  }
}

}  // namespace
}  // namespace baton
