// A start that is over has its row never again, however late its reports come (I31). Simulation found it, seed 17167: a
// crashed start's claim came once more when the row was UNCLAIMED again, and its "started" after it: RUNNING, and
// nothing ran.
#include <gtest/gtest.h>

#include "orchestrator/app/apps/lifecycle.h"
#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

class EndedStart : public ::testing::Test {
 protected:
  ActualLrp& row() { return *maker.Of(0, Presence::kOrdinary); }
  InstanceRef By(const std::string& start, const std::string& cell = "cell-1") {
    return {row().id, InstanceGuid(start), CellId(cell)};
  }
  template <class Decide>
  Status Do(Decide decide) {
    AppEdit edit(maker.app, maker.moment, "test");
    const Status status = decide(edit);
    changed = !edit.Finish().empty();
    return status;
  }
  Status Claim(const InstanceRef& ref) {
    return Do([&](AppEdit& edit) { return DecideClaim(edit, ref); });
  }
  Status Start(const InstanceRef& ref) {
    const NetInfo net_info{"10.0.0.1", "", {{8080, 61000}}};
    return Do([&](AppEdit& edit) {
      return DecideStart(edit, {.ref = ref, .net_info = net_info, .routable = true, .zone = ""});
    });
  }
  void RunAndCrash(const std::string& start) {
    ASSERT_TRUE(Claim(By(start)));
    ASSERT_TRUE(Start(By(start)));
    ASSERT_TRUE(Do([&](AppEdit& edit) { return DecideCrash(edit, By(start), "exit status 1"); }));
    maker.Wait(std::chrono::minutes(20));  // the longest back-off
    (void)maker.PlanNow();
    ASSERT_EQ(row().state, LrpState::kUnclaimed);
  }
  // The row waits for a cell, and neither report of that start changes anything of it.
  void ExpectOver(const InstanceRef& ref) {
    ASSERT_EQ(row().state, LrpState::kUnclaimed);
    const Status claim = Claim(ref);
    ASSERT_FALSE(claim) << ref.instance_guid;
    EXPECT_EQ(claim.error().kind, ErrorKind::kFailedPrecondition);
    EXPECT_NE(claim.error().message.find(ref.instance_guid.str() + " is over"), std::string::npos)
        << claim.error().message;
    EXPECT_FALSE(changed);
    EXPECT_FALSE(Start(ref));
    EXPECT_FALSE(changed);
  }

  AppMaker maker = AppMaker::Settled(1);
  bool changed = false;
};

TEST_F(EndedStart, ACrashedStartsLateClaimDoesNotTakeTheRowThatWaitsAgain) {
  row().state = LrpState::kUnclaimed;
  row().instance_guid = InstanceGuid();
  row().cell_id = CellId();
  RunAndCrash("first");
  ExpectOver(By("first"));
  EXPECT_TRUE(row().instance_guid.empty());
  EXPECT_TRUE(row().cell_id.empty());
}

TEST_F(EndedStart, TheSameCellStartsItAgainUnderAnotherName) {
  const InstanceRef first = By(row().instance_guid.str(), row().cell_id.str());
  ASSERT_TRUE(Do([&](AppEdit& edit) { return DecideCrash(edit, first, "exit status 1"); }));
  (void)maker.PlanNow();
  const InstanceRef second = By("second", first.cell_id.str());
  EXPECT_TRUE(Claim(second));
  EXPECT_TRUE(Claim(second)) << "said again";
  EXPECT_FALSE(changed);
  EXPECT_FALSE(Claim(first));
  EXPECT_TRUE(Start(second));
  EXPECT_FALSE(Start(first));
  EXPECT_EQ(row().state, LrpState::kRunning);
  EXPECT_EQ(row().instance_guid, second.instance_guid);
}

TEST_F(EndedStart, AStartThatItsCellForgotIsOver) {
  const InstanceRef first = By(row().instance_guid.str(), row().cell_id.str());
  ASSERT_TRUE(Do([&](AppEdit& edit) { return DecideForgotten(edit, first); }));
  ExpectOver(first);
}

TEST_F(EndedStart, AClaimThatWasTakenBackWithItsCellIsOver) {
  row().state = LrpState::kClaimed;
  row().routable = false;
  row().routable_since.reset();
  const InstanceRef first = By(row().instance_guid.str(), row().cell_id.str());
  maker.moment.cells[first.cell_id].missing = true;
  (void)maker.PlanNow();
  ExpectOver(first);
}

TEST_F(EndedStart, OfManyTheLastAreKept) {
  const InstanceRef first = By(row().instance_guid.str(), row().cell_id.str());
  ASSERT_TRUE(Do([&](AppEdit& edit) { return DecideForgotten(edit, first); }));
  const auto name = [](std::size_t i) { return "start-" + std::to_string(i); };
  for (std::size_t i = 1; i <= 3 * kEndedStartsMax; ++i) RunAndCrash(name(i));
  EXPECT_EQ(row().ended_starts.size(), kEndedStartsMax);
  for (std::size_t i = 2 * kEndedStartsMax + 1; i <= 3 * kEndedStartsMax; ++i) ExpectOver(By(name(i)));
}

}  // namespace
}  // namespace baton
