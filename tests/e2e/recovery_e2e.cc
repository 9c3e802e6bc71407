// What breaks is put right without anybody's doing, under traffic: cells that are killed, stopped, drained, machines that
// die, and PostgreSQL restarted in the middle of all of it.
#include <gtest/gtest.h>
#include <signal.h>

#include <map>
#include <set>

#include "tests/e2e/scene.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

constexpr char kRecoveryLease[] = "3000";

stack::StackOptions QuickLeases(stack::StackOptions options = {}) {
  options.batond_arguments = {"--cell-lease-ms", kRecoveryLease, "--converge-ms", "1000"};
  return options;
}

class Recovery : public Scene {
 protected:
  explicit Recovery(stack::StackOptions options = QuickLeases()) : Scene(options) { app_.instances = 4; }

  std::string StateOf(const std::string& id) {
    for (const v2::Cell& cell : stack_->api().Cells()) {
      if (cell.cell_id() == id) return cell.state();
    }
    return "UNKNOWN";
  }
  // Every slot is held by exactly one instance, which serves, and nothing else is left.
  bool AwaitOneEach(const std::string& version) {
    return Await([&] {
      std::map<int, int> running;
      for (const v2::ActualLRP& lrp : Instances()) {
        const bool serves = lrp.presence() == v2::ORDINARY && lrp.state() == "RUNNING" && lrp.routable() &&
                            lrp.definition_identifier() == version;
        if (!serves) return false;
        ++running[lrp.index()];
      }
      return running.size() == static_cast<std::size_t>(app_.instances) &&
             std::ranges::all_of(running, [](const auto& slot) { return slot.second == 1; });
    });
  }
  int OnCell(const std::string& cell) {
    const auto all = Instances();
    return static_cast<int>(
        std::ranges::count_if(all, [&](const auto& lrp) { return lrp.instance_key().cell_id() == cell; }));
  }
};

// Its instances serve on, each under a shim of its own.
TEST_F(Recovery, AKilledCellIsReplacedAfterItsLeaseAndComesBackWithoutDisplacingAnybody) {
  Begin();
  StartTraffic();
  ASSERT_GT(OnCell("cell-1"), 0);
  stack_->KillCell(1);
  ASSERT_TRUE(Await([&] { return StateOf("cell-1") == "MISSING"; }));
  ASSERT_TRUE(Await([&] { return OnCell("cell-1") == 0; })) << "each slot is served by the other cell";
  std::set<std::string> serving;
  for (const v2::ActualLRP& lrp : Instances()) serving.insert(lrp.actual_id());
  stack_->StartCell(1);
  EXPECT_TRUE(AwaitOneEach("v1"));
  for (const v2::ActualLRP& lrp : Instances()) EXPECT_TRUE(serving.contains(lrp.actual_id())) << lrp.actual_id();
  EXPECT_EQ(EndOf(Update("v2")), v2::COMPLETED) << "and it takes instances again";
  EXPECT_GT(OnCell("cell-1"), 0);
  ExpectUnnoticed();
}

TEST_F(Recovery, AStoppedCellThatComesBackResolvesToOneInstanceASlot) {
  Begin();
  StartTraffic();
  const pid_t cell = stack_->cell_pid(1);
  ASSERT_EQ(kill(cell, SIGSTOP), 0);
  ASSERT_TRUE(Await([&] { return StateOf("cell-1") == "MISSING"; }));
  ASSERT_TRUE(Await([&] {  // in the middle of it: the replacements are on their way
    const auto all = Instances();
    return std::ranges::any_of(all, [](const auto& lrp) { return lrp.presence() == v2::SUSPECT; });
  }));
  ASSERT_EQ(kill(cell, SIGCONT), 0);
  EXPECT_TRUE(AwaitOneEach("v1"));
  EXPECT_TRUE(Await([&] { return StateOf("cell-1") == "PRESENT"; }));
  ExpectUnnoticed();
}

// The whole machine, instances and all: what it had in hand is given to the others.
class DyingMachine : public Recovery {
 protected:
  DyingMachine() : Recovery(QuickLeases({.router_arguments = {"--retries", "5"}})) {}
};

TEST_F(DyingMachine, InTheMiddleOfARollIsReplacedAndTheRollGoesOn) {
  Begin();
  StartTraffic();
  const v2::Roll roll = Update("v2");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  stack_->KillMachine(1);
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  EXPECT_TRUE(AwaitOneEach("v2"));
  EXPECT_EQ(OnCell("cell-1"), 0);
  stack_->StartCell(1);
  EXPECT_TRUE(AwaitOneEach("v2"));
  ExpectUnnoticed();
}

TEST_F(Recovery, ACellDrainsDuringARollWhilePostgresIsRestarted) {
  Begin();
  StartTraffic();
  const v2::Roll roll = Update("v2");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  stack_->api().DrainCell("cell-1");
  for (int restart = 0; restart < 3; ++restart) {
    stack_->KillPostgres();  // batond starts it again
    ASSERT_TRUE(Await([&] { return stack_->api().Available(); }));
    ASSERT_TRUE(AwaitStep("handed_over", 2 + restart));
  }
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  EXPECT_TRUE(Await([&] { return OnCell("cell-1") == 0; }));
  EXPECT_TRUE(AwaitOneEach("v2"));
  ExpectUnnoticed();
}

// Everything at once, again and again: cells stopped and killed, batond killed, PostgreSQL killed.
TEST_F(Recovery, WhateverIsKilledInTurnIsPutRight) {
  Begin();
  StartTraffic();
  for (int round = 0; round < 2; ++round) {
    const std::string version = "v" + std::to_string(round + 2);
    const v2::Roll roll = Update(version);
    ASSERT_TRUE(AwaitStep("surged", 1));
    stack_->KillCell(1 + round);
    stack_->KillPostgres();
    stack_->KillBatond();
    stack_->StartBatond();
    ASSERT_TRUE(AwaitStep("handed_over", 1));
    stack_->StartCell(1 + round);
    EXPECT_EQ(EndOf(roll), v2::COMPLETED);
    EXPECT_TRUE(AwaitOneEach(version));
  }
  ExpectUnnoticed();
}

}  // namespace
}  // namespace baton
