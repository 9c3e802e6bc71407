// A part of the stack is killed in the middle of an update, and started again.
#include <map>

#include "tests/e2e/rolling_app.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

// actual id -> the cell's name for this start, of those that stay.
std::map<std::string, std::string> RunningOn(stack::Stack& stack, const std::string& cell, const std::string& version) {
  std::map<std::string, std::string> found;
  for (const v2::ActualLRP& lrp : stack.api().Instances("hello")) {
    const bool stays = lrp.state() == "RUNNING" && lrp.definition_identifier() == version;
    if (stays && lrp.instance_key().cell_id() == cell) found[lrp.actual_id()] = lrp.instance_key().instance_guid();
  }
  return found;
}

TEST_F(RollingApp, GoesOnWhereItWasAfterEachKillOfBatond) {
  BeginUpdate();
  for (int kill = 0; kill < 3; ++kill) {
    AwaitHandOvers(kill);
    stack_.KillBatond();
    stack_.StartBatond();
  }
  ExpectUnnoticed();
}

TEST_F(RollingApp, KilledCellFindsItsInstancesAgain) {
  BeginUpdate();
  for (int number = 1; number <= 2; ++number) {
    AwaitHandOvers(number);
    const auto before = RunningOn(stack_, stack_.CellName(number), "v2");
    stack_.KillCell(number);
    stack_.StartCell(number);
    const auto after = RunningOn(stack_, stack_.CellName(number), "v2");
    for (const auto& [actual_id, instance_guid] : before) {
      ASSERT_TRUE(after.contains(actual_id));
      EXPECT_EQ(after.at(actual_id), instance_guid);
    }
  }
  ExpectUnnoticed();
}

TEST_F(RollingApp, HaproxyServesOnWhileTheRouterIsDown) {
  BeginUpdate();
  for (int kill = 1; kill <= 2; ++kill) {
    AwaitHandOvers(kill);
    stack_.KillRouter();
    stack_.StartRouter();
  }
  ExpectUnnoticed();
}

TEST_F(RollingApp, AllKilledAtOnceIsAllTakenUpAgain) {
  BeginUpdate();
  AwaitHandOvers(1);
  stack_.KillBatond();
  stack_.KillCell(1);
  stack_.KillCell(2);
  stack_.KillRouter();
  stack_.StartBatond();
  stack_.StartCells();
  stack_.StartRouter();
  ExpectUnnoticed();
}

}  // namespace
}  // namespace baton
