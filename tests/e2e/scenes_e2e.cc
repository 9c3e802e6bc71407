// What a roll can meet, with real processes under traffic. Where no fault from outside takes capacity, no request
// fails.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <random>

#include "tools/load/load.h"
#include "tools/stack/hello_app.h"
#include "tools/stack/stack.h"
#include "tools/stack/state_dir.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

constexpr std::chrono::seconds kPatience{60};

class Scene : public testing::Test {
 protected:
  explicit Scene(StackOptions options = {}) {
    options.dir = dir_.path();
    stack_ = std::make_unique<Stack>(options);
    stack_->Start();
    app_ = {.instances = 3, .program = stack_->bin_dir() + "/hello", .min_healthy_ms = 500};
  }
  ~Scene() override {
    if (load_) load_->Stop();
    stack_->Stop();
    if (!HasFailure()) return;
    if (load_) {
      for (const FailureRecord& one : load_->Snapshot().first_failures) std::cerr << one.text << '\n';
    }
    dir_.Keep();
    std::cerr << "the stack's logs are kept in " << dir_.path() << '\n';
  }

  // v1 serves.
  void Begin(v2::Strategy::OnFailure on_failure = v2::Strategy::ROLLBACK) {
    v2::DesiredLRP desired = DesiredHello(app_, HelloDefinition(app_, "v1"));
    desired.mutable_strategy()->set_on_failure(on_failure);
    ASSERT_EQ(EndOf(stack_->api().Desire(desired)), v2::COMPLETED);
  }
  void StartTraffic() { load_ = Load::Start({.target = stack_->http_address(), .host = app_.hostname, .rate = 100}); }
  // And nobody has noticed anything so far.
  void ExpectUnnoticed() {
    load_->Stop();
    EXPECT_GT(load_->Snapshot().answered, 0);
    EXPECT_EQ(load_->Snapshot().failed, 0);
  }
  v2::Roll Update(const v2::LRPDefinition& definition) {
    return stack_->api().Update(app_.process_guid, UpdateTo(definition)).roll();
  }
  v2::Roll Update(const std::string& version) { return Update(HelloDefinition(app_, version)); }
  v2::Roll UpdateToABadOne(const std::string& version) { return Update(CrashingHello(app_, version, 300)); }
  void Scale(int instances) {
    v2::DesiredLRPUpdate update;
    update.set_instances(instances);
    stack_->api().Update(app_.process_guid, update);
  }
  v2::RollState EndOf(const v2::Roll& roll) {
    return stack_->api().WatchRoll(roll.roll_id(), [](const auto&, const auto&) {}).state();
  }
  bool Await(const std::function<bool()>& holds) { return WaitFor(kPatience, {}, holds); }
  int CountSteps(const std::string& kind) {
    const v2::GetRollResponse answer = stack_->api().GetRoll(app_.process_guid);
    return static_cast<int>(std::ranges::count(answer.steps(), kind, [](const auto& step) { return step.kind(); }));
  }
  bool AwaitStep(const std::string& kind, int count) {
    return Await([&] { return CountSteps(kind) >= count; });
  }
  std::vector<v2::ActualLRP> Instances() { return stack_->api().Instances(app_.process_guid); }
  // Everything is of the version, and nothing is on its way.
  bool AwaitOnly(const std::string& version, int instances) {
    return Await([&] {
      const auto all = Instances();
      return static_cast<int>(all.size()) == instances && std::ranges::all_of(all, [&](const v2::ActualLRP& lrp) {
               return lrp.definition_identifier() == version && lrp.state() == "RUNNING" && lrp.routable();
             });
    });
  }

  StateDir dir_;
  std::unique_ptr<Stack> stack_;
  HelloApp app_;
  std::unique_ptr<Load> load_;
};

class RollScenes : public Scene {};

TEST_F(RollScenes, AVersionThatCrashesIsHeldAndCancelled) {
  Begin(v2::Strategy::HOLD);
  StartTraffic();
  EXPECT_EQ(EndOf(UpdateToABadOne("v2")), v2::HELD);
  EXPECT_TRUE(AwaitOnly("v1", app_.instances)) << "the held roll's newcomer is withdrawn";
  EXPECT_EQ(EndOf(stack_->api().Cancel(app_.process_guid)), v2::ROLLED_BACK);
  ExpectUnnoticed();
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
  ExpectUnnoticed();
}

TEST_F(RollScenes, AStagedRollWaitsAndGoesOnWhenItIsPromoted) {
  Begin();
  StartTraffic();
  v2::DesiredLRPUpdate update = UpdateTo(HelloDefinition(app_, "v2"));
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
    Rest(std::chrono::milliseconds(random() % (at_a_hand_over ? 150 : 600)), {});
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
    Rest(std::chrono::seconds(3), {});  // the lag
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
  HelloApp other = app_;
  other.process_guid = "other";
  other.hostname = "other.example";
  other.instances = 1;
  ASSERT_EQ(EndOf(stack_->api().Desire(DesiredHello(other, HelloDefinition(other, "o1")))), v2::COMPLETED);
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
  ExpectUnnoticed();
}

}  // namespace
}  // namespace baton
