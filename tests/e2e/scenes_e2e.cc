// What a roll can meet, with real processes under traffic. Where no fault from outside takes capacity, no request
// fails.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <map>
#include <random>

#include "tests/e2e/scene.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

class RollScenes : public Scene {};

TEST_F(RollScenes, AVersionThatCrashesIsHeldAndCancelled) {
  Begin(v2::Strategy::HOLD);
  StartTraffic();
  EXPECT_EQ(EndOf(UpdateToABadOne("v2")), v2::HELD);
  EXPECT_TRUE(AwaitOnly("v1", app_.instances)) << "the held roll's newcomer is withdrawn";
  EXPECT_EQ(EndOf(stack_->api().Cancel(app_.process_guid)), v2::ROLLED_BACK);
  ExpectUnnoticed();
}

// It dies half a second after it was let in: it costs one slot, and the roll goes back.
TEST_F(RollScenes, AVersionThatDiesAfterItWasLetInCostsOneSlot) {
  app_.instances = 4;
  app_.min_healthy_ms = 1000;
  Begin();
  const std::string crash = "CRASH_AFTER_MS=" + std::to_string(app_.min_healthy_ms + 500);
  const v2::Roll roll =
      stack_->api().Update(app_.process_guid, stack::UpdateTo(stack::HelloDefinition(app_, "v2", {crash}))).roll();
  int least = app_.instances;
  ASSERT_TRUE(Await([&] {
    const v2::Roll now = stack_->api().GetRoll(app_.process_guid).roll();
    if (!stack::IsOver(now.state())) least = std::min(least, static_cast<int>(now.served()));
    return stack::IsOver(now.state());
  }));
  EXPECT_EQ(EndOf(roll), v2::ROLLED_BACK);
  EXPECT_GE(least, 3);
  EXPECT_TRUE(AwaitOnly("v1", app_.instances));
}

// The bake time is all the proof there is.
TEST_F(RollScenes, AVersionWhoseOnlyInstanceDiesAfterItWasLetInGoesBack) {
  app_.instances = 1;
  app_.min_healthy_ms = 1000;
  Begin();
  const std::string crash = "CRASH_AFTER_MS=" + std::to_string(app_.min_healthy_ms + 500);
  const v2::Roll roll =
      stack_->api().Update(app_.process_guid, stack::UpdateTo(stack::HelloDefinition(app_, "v2", {crash}))).roll();
  EXPECT_EQ(EndOf(roll), v2::ROLLED_BACK);
  EXPECT_TRUE(AwaitOnly("v1", 1));
}

TEST_F(RollScenes, TheNewestOfThreeUpdatesWinsWithABrokenOneInTheMiddle) {
  Begin();
  StartTraffic();
  const v2::Roll second = Update("v2");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  const v2::Roll third = UpdateToABadOne("v3");
  ASSERT_TRUE(AwaitStep("attempt_failed", 1));
  const v2::Roll fourth = Update("v4");
  EXPECT_EQ(EndOf(second), v2::SUPERSEDED);
  EXPECT_EQ(EndOf(third), v2::SUPERSEDED);
  EXPECT_EQ(EndOf(fourth), v2::COMPLETED);
  EXPECT_TRUE(AwaitOnly("v4", app_.instances));
  ExpectDrainsAsTraffic(app_.instances + 1);  // of v1, and one of v2 at least
  ExpectUnnoticed();
}

TEST_F(RollScenes, ScalesToAnyNumberInTheMiddleOfARoll) {
  app_.instances = 6;
  Begin();
  StartTraffic();
  const v2::Roll roll = Update("v2");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  Scale(2);
  ASSERT_TRUE(AwaitStep("trimmed", 1));
  Scale(9);
  ASSERT_TRUE(Await([&] { return Instances().size() >= 9; }));
  ExpectUnnoticed();  // with 0 instances nobody can be answered
  Scale(0);
  ASSERT_TRUE(Await([&] { return Instances().empty(); }));
  Scale(3);
  ASSERT_TRUE(AwaitOnly("v2", 3));
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  StartTraffic();
  EXPECT_EQ(EndOf(Update("v3")), v2::COMPLETED);
  ExpectDrainsAsTraffic(3);
  ExpectUnnoticed();
}

TEST_F(RollScenes, ADeletePreemptsTheRollAndTheAppComesBackAnew) {
  Begin();
  const v2::Roll roll = Update("v2");
  ASSERT_TRUE(AwaitStep("surged", 2));
  stack_->api().Remove(app_.process_guid);
  EXPECT_EQ(EndOf(roll), v2::YIELDED);
  EXPECT_TRUE(Await([&] { return Instances().empty(); }));
  EXPECT_TRUE(stack_->api().OpenRolls().empty());
  EXPECT_TRUE(Await([&] { return stack_->api().Definitions(app_.process_guid).empty(); }));
  Begin();
  StartTraffic();
  EXPECT_EQ(EndOf(Update("v2")), v2::COMPLETED) << "the same name for the same content, of another incarnation";
  ExpectDrainsAsTraffic(app_.instances);
  ExpectUnnoticed();
}

TEST_F(RollScenes, AStagedRollWaitsAndGoesOnWhenItIsPromoted) {
  Begin();
  StartTraffic();
  v2::DesiredLRPUpdate update = stack::UpdateTo(stack::HelloDefinition(app_, "v2"));
  v2::Stage& stage = *update.mutable_strategy()->add_stages();
  stage.mutable_instances()->set_count(1);
  stage.set_promotion(true);
  const v2::Roll roll = stack_->api().Update(app_.process_guid, update).roll();
  ASSERT_TRUE(Await([&] { return stack_->api().GetRoll(app_.process_guid).roll().state() == v2::PAUSED; }));
  stack_->KillBatond();  // the wait is in the rows
  stack_->StartBatond();
  ASSERT_TRUE(Await([&] {  // and the app is of both versions
    std::map<std::string, int> versions;
    for (const v2::ActualLRP& lrp : Instances()) ++versions[lrp.definition_identifier()];
    return versions == std::map<std::string, int>{{"v1", 2}, {"v2", 1}};
  }));
  EXPECT_EQ(stack_->api().GetRoll(app_.process_guid).roll().state(), v2::PAUSED);
  EXPECT_EQ(stack_->api().Promote(app_.process_guid).state(), v2::ROLLING);
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  ExpectUnnoticed();
}

// Half of the kills fall anywhere, half around a hand-over, where most is under way. Each takes the roll one slot or
// two further: a proof goes on while nobody leads.
TEST_F(RollScenes, OneRollOutlivesTwentyKillsOfBatond) {
  app_.instances = 26;
  app_.min_healthy_ms = 3000;
  Begin();
  StartTraffic();
  const v2::Roll roll = Update("v2");
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int kill = 0; kill < 20; ++kill) {
    const bool at_a_hand_over = kill % 2 == 1;
    if (at_a_hand_over) {
      ASSERT_TRUE(AwaitStep("handed_over", CountSteps("handed_over") + 1));
    }
    // Any moment: this is what is tried, not waited for.
    stack::Rest(std::chrono::milliseconds(random() % (at_a_hand_over ? 150 : 600)), {});
    ASSERT_EQ(stack_->api().GetRoll(app_.process_guid).roll().state(), v2::ROLLING) << "kill " << kill;
    stack_->KillBatond();
    stack_->StartBatond();
  }
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  EXPECT_TRUE(AwaitOnly("v2", app_.instances));
  ExpectUnnoticed();
}

TEST_F(RollScenes, AnAppOfOneWithARouterThatLags) {
  app_.instances = 1;
  Begin();
  StartTraffic();
  const v2::Roll roll = Update("v2");
  for (const char* step : {"surged", "handed_over"}) {
    ASSERT_TRUE(AwaitStep(step, 1));
    ASSERT_EQ(kill(stack_->router_pid(), SIGSTOP), 0);
    stack::Rest(std::chrono::seconds(3), {});  // the lag
    ASSERT_EQ(kill(stack_->router_pid(), SIGCONT), 0);
  }
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  EXPECT_TRUE(AwaitOnly("v2", 1));
  ExpectUnnoticed();
}

// A cell for four instances: three of the app and another one.
class FullCell : public Scene {
 protected:
  FullCell() : Scene({.cells = 1, .cell_arguments = {"--memory-mb", "128"}}) {}
};

TEST_F(FullCell, TheRollWaitsForRoomAndGoesOnWhenThereIsSome) {
  Begin();
  stack::HelloApp other = app_;
  other.process_guid = "other";
  other.hostname = "other.example";
  other.instances = 1;
  ASSERT_EQ(EndOf(stack_->api().Desire(stack::DesiredHello(other, stack::HelloDefinition(other, "o1")))),
            v2::COMPLETED);
  StartTraffic();
  const v2::Roll roll = Update("v2");
  ASSERT_TRUE(Await([&] {
    const auto all = Instances();
    return std::ranges::any_of(all, [](const v2::ActualLRP& lrp) { return !lrp.placement_error().empty(); });
  }));
  stack_->api().Remove("other");
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  const v2::GetRollResponse answer = stack_->api().GetRoll(app_.process_guid);
  for (const v2::RollStep& step : answer.steps()) EXPECT_NE(step.kind(), "attempt_failed");
  ExpectDrainsAsTraffic(app_.instances);
  ExpectUnnoticed();
}

}  // namespace
}  // namespace baton
