// What a cell may claim and start: nothing that is on its way out, and nothing with other ports than its definition's.
#include <gtest/gtest.h>

#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/app/apps/update.h"
#include "orchestrator/app/leader/drive.h"
#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

class AClaim : public ::testing::Test {
 protected:
  AClaim() {
    ActualLrp& lrp = row();
    lrp.state = LrpState::kUnclaimed;
    lrp.instance_guid = InstanceGuid();
    lrp.cell_id = CellId();
    lrp.net_info = {};
    AppMaker::MakeUnready(lrp);
    ref = {lrp.id, InstanceGuid("run"), CellId("cell-1")};
  }
  ActualLrp& row() { return maker.app.actuals.begin()->second; }
  template <class Decide>
  Status Do(Decide decide) {
    AppEdit edit(maker.app, maker.moment, "test");
    const Status status = decide(edit);
    status ? void(edit.Finish()) : edit.Undo();
    return status;
  }
  Status Claim() {
    return Do([&](AppEdit& edit) { return DecideClaim(edit, ref); });
  }
  Status Start(std::vector<PortMapping> ports) {
    const NetInfo net_info{"10.0.0.1", "", std::move(ports)};
    return Do([&](AppEdit& edit) { return DecideStart(edit, {ref, net_info, true, ""}); });
  }

  AppMaker maker = AppMaker::Settled(1);
  InstanceRef ref;
};

TEST_F(AClaim, ThatIsRepeatedBecauseItsAnswerWasLostIsRefusedOnceTheAppIsGone) {
  ASSERT_TRUE(Claim());
  EXPECT_TRUE(Claim()) << "twice is as once";
  ASSERT_TRUE(Do([](AppEdit& edit) { return DecideRemove(edit); }));
  ASSERT_EQ(row().presence, Presence::kRetiring);
  const Status again = Claim();
  ASSERT_FALSE(again) << "the cell would start it";
  EXPECT_EQ(again.error().kind, ErrorKind::kFailedPrecondition);
  EXPECT_NE(again.error().message.find("RETIRING"), std::string::npos) << again.error().message;
}

TEST_F(AClaim, OfWhatRunsAndServesOnUntilItIsDrainedIsNotRefused) {
  ASSERT_TRUE(Claim());
  ASSERT_TRUE(Start({{8080, 61000}}));
  ASSERT_TRUE(Do([](AppEdit& edit) { return DecideRemove(edit); }));
  EXPECT_TRUE(Claim()) << "refused, its cell would stop it at once";
}

// Routers are told of endpoints alone: of a TLS proxy's port they would never say that they have applied it.
TEST_F(AClaim, StartedAgainWithWhatIsNoEndpointStaysApplied) {
  ASSERT_TRUE(Claim());
  ASSERT_TRUE(Start({{8080, 61000}}));
  row().applied_by = {ConsumerId("router-1")};
  ASSERT_TRUE(Start({{8080, 61000, 61443, 61001}}));
  EXPECT_EQ(row().net_info.ports[0].host_tls_proxy_port, 61001U);
  EXPECT_FALSE(row().applied_by.empty());
  ASSERT_TRUE(Start({{8080, 61002, 61443, 61001}}));
  EXPECT_TRUE(row().applied_by.empty()) << "another address is another endpoint";
}

TEST_F(AClaim, IsFollowedByAStartWithThePortsOfTheDefinition) {
  maker.app.definitions.at({1, DefinitionId("v1")}).ports = {8080, 2222};
  ASSERT_TRUE(Claim());
  const auto refused = [&](std::vector<PortMapping> ports) {
    const Status status = Start(std::move(ports));
    EXPECT_EQ(row().state, LrpState::kClaimed);
    return status ? "" : status.error().message;
  };
  EXPECT_NE(refused({}).find("lacks container_port 2222 of definition v1"), std::string::npos);
  EXPECT_NE(refused({{2222, 61000}}).find("lacks container_port 8080 of definition v1"), std::string::npos);
  EXPECT_NE(refused({{8080, 61000}, {2222, 61001}, {9090, 61002}})
                .find("has container_port 9090, which is none of definition v1"),
            std::string::npos);
  EXPECT_TRUE(Start({{2222, 61001}, {8080, 61000}, {8080, 61443}})) << "in any order, and one of them twice (Diego)";
  EXPECT_EQ(row().state, LrpState::kRunning);
}

// What time makes the planner do in the same commit is nobody's wish.
TEST(AChange, IsWhatWasAskedAndNotWhatThePlannerDidMeanwhile) {
  AppMaker maker = AppMaker::Settled(2);
  maker.RunAll("v1");  // a second one in each slot: the planner has something to do
  UpdateRequest same;
  same.instances = 1;
  for (const bool changes : {true, false}) {
    AppEdit edit(maker.app, maker.moment, "test");
    ASSERT_TRUE(DecideUpdate(edit, same));
    (void)RunPlanner(edit);
    EXPECT_TRUE(edit.HasChanges()) << "the planner's";
    EXPECT_EQ(edit.ChangedByDecision(), changes);
    (void)edit.Finish();
    maker.Add(1, Presence::kOrdinary, "v1");  // above the count: it is trimmed
  }
}

}  // namespace
}  // namespace baton
