// The data goes back to an older schema and forward again in the middle of rolls and under traffic; between the two the
// older program itself leads, where it was built (BATON_OLDER: ./dev prove migration). Nobody notices anything.
#include <gmock/gmock.h>
#include <signal.h>

#include "tests/e2e/scene.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"
#include "tools/stack/stack_error.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

constexpr std::chrono::seconds kVersionsPatience{30};

class Versions : public Scene {
 protected:
  Versions() : Scene(Two()) {}

  static stack::StackOptions Two() {
    stack::StackOptions options;
    options.batonds = 2;
    return options;
  }
  std::string Schema() { return testing::Psql(stack_->database_url(), "SELECT current, target FROM versions"); }
  std::size_t Leader() {
    std::optional<std::size_t> leader;
    EXPECT_TRUE(Await([&] { return (leader = stack_->api().Leader()).has_value(); }));
    return leader.value_or(0);
  }
  // kill -9 in the middle of the migration: what it waits for is held by somebody else meanwhile.
  void KillWhileItMigrates(std::size_t which) {
    const auto holder = OpenSession(stack_->database_url());
    const SessionError error = holder->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      s.RunScript("SET LOCAL idle_in_transaction_session_timeout = 0; SELECT FROM actual_lrps FOR UPDATE");
      stack_->LaunchBatond(which, {.program = {}, .database = {}, .arguments = {"--upgrade-after-rollback"}});
      EXPECT_TRUE(Await([&] { return SomebodyWaits(stack_->database_url()); }));
      stack_->KillBatond(which);
      return false;
    });
    EXPECT_TRUE(error.ok()) << error.detail;
    EXPECT_EQ(Schema().substr(0, 4), "100|") << "begun, and not ended";
  }
  // Told to, it ends; with what it ended.
  int End(std::size_t which) {
    stack_->batond(which).Signal(SIGTERM);
    EXPECT_TRUE(stack_->batond(which).WaitForEnd(kVersionsPatience));
    return stack_->batond(which).exit_status().value_or(-1);
  }
};

TEST_F(Versions, GoBackAndForthInTheMiddleOfRollsAndNobodyNotices) {
  const std::string newest = Schema();
  Begin();
  StartTraffic();
  // One that takes the data back when it is told to stop, and no other that could go forward again.
  const std::size_t first = Leader();
  const std::size_t second = 1 - first;
  ASSERT_EQ(End(second), 0);
  ASSERT_EQ(End(first), 0);
  stack_->StartBatond(second, {.program = {}, .database = {}, .arguments = {"--rollback-on-drain-to-version", "100"}});
  v2::Roll roll = Update("v2");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  ASSERT_EQ(End(second), 0);
  ASSERT_EQ(Schema(), "100|100\n");

  if (const char* older = std::getenv("BATON_OLDER"); older && *older) {
    stack_->StartBatond(first, {.program = older, .database = {}, .arguments = {}});
    EXPECT_EQ(EndOf(roll), v2::COMPLETED);
    EXPECT_TRUE(AwaitOnly("v2", app_.instances));
    roll = Update("v3");
    ASSERT_TRUE(AwaitStep("handed_over", 1));
    ASSERT_EQ(End(first), 0);
    std::cout << "older program: led under traffic, finished one roll and began another\n";
  }

  try {
    stack_->StartBatond(first);
    ADD_FAILURE() << "it went forward again without having been told";
  } catch (const stack::StackError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--upgrade-after-rollback"));
  }
  KillWhileItMigrates(first);
  stack_->StartBatond(first, {.program = {}, .database = {}, .arguments = {"--upgrade-after-rollback"}});
  EXPECT_EQ(Schema(), newest);
  stack_->StartBatond(second);
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  EXPECT_EQ(EndOf(Update("v4")), v2::COMPLETED);
  EXPECT_TRUE(AwaitOnly("v4", app_.instances));
  ExpectUnnoticed();
}

}  // namespace
}  // namespace baton
