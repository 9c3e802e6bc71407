// Crashes as Diego counts them: restarted at once twice, then with a back-off that doubles, given up at 200; five minutes
// of running begin the count anew.
#include <gtest/gtest.h>

#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/roll/rules/backoff.h"
#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

using std::chrono::minutes;

class Crashes : public ::testing::Test {
 protected:
  ActualLrp& row() { return *maker.Of(0, Presence::kOrdinary); }
  // After so long a run.
  void Crash(Duration ran) {
    maker.Wait(ran);
    AppEdit edit(maker.app, maker.moment, "test");
    ASSERT_TRUE(DecideCrash(edit, {row().id, row().instance_guid, row().cell_id}, "exit status 1"));
    edit.Finish();
  }
  // How long until it is offered to a cell again; nothing: never within a day.
  std::optional<Duration> OfferedAfter() {
    for (Duration waited(0); waited <= std::chrono::hours(24);) {
      const Plan plan = maker.PlanNow();
      if (!plan.to_place.empty()) return waited;
      if (!plan.wake_up_at) return std::nullopt;
      const Duration step = *plan.wake_up_at - maker.moment.now;
      maker.Wait(step);
      waited += step;
    }
    return std::nullopt;
  }
  void StartAgain() {
    AppMaker::Start(row(), maker.moment.now);
    row().since = maker.moment.now;
  }

  AppMaker maker = AppMaker::Settled(1);
};

TEST_F(Crashes, BackOffDoublesFromTheThirdOnUpToSixteenMinutes) {
  const std::vector<Duration> expected = {seconds(0),   seconds(0),   seconds(30),  seconds(60), seconds(120),
                                          seconds(240), seconds(480), seconds(960), seconds(960)};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    Crash(seconds(1));
    EXPECT_EQ(row().crash_count, static_cast<int>(i) + 1);
    EXPECT_EQ(OfferedAfter(), expected[i]) << "crash " << i + 1;
    StartAgain();
  }
}

TEST_F(Crashes, FiveMinutesOfRunningBeginTheCountAnew) {
  for (int i = 0; i < 5; ++i) {
    Crash(seconds(1));
    (void)OfferedAfter();
    StartAgain();
  }
  Crash(minutes(5) - milliseconds(1));
  EXPECT_EQ(row().crash_count, 6);
  (void)OfferedAfter();
  StartAgain();
  Crash(minutes(5));
  EXPECT_EQ(row().crash_count, 1);
  EXPECT_EQ(OfferedAfter(), seconds(0));
}

TEST_F(Crashes, GivenUpAtTwoHundred) {
  row().crash_count = 198;
  Crash(seconds(1));
  EXPECT_EQ(OfferedAfter(), minutes(16));
  StartAgain();
  Crash(seconds(1));
  EXPECT_EQ(row().crash_count, 200);
  EXPECT_EQ(OfferedAfter(), std::nullopt);
  EXPECT_TRUE(maker.Explains(maker.PlanNow(), rule::kGaveUp));
}

TEST_F(Crashes, ReasonsAreCutAsDiegoCutsThem) {
  AppEdit edit(maker.app, maker.moment, "test");
  ASSERT_TRUE(DecideCrash(edit, {row().id, row().instance_guid, row().cell_id}, std::string(5000, 'x')));
  EXPECT_LE(row().crash_reason.size(), kReasonBytesMax);
  EXPECT_TRUE(row().crash_reason.ends_with("(truncated)"));
}

}  // namespace
}  // namespace baton
