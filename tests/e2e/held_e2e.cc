// A roll that is HELD waits for a person: whoever is paged by a metric, a log line or an exit code is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "orchestrator/model/version.h"
#include "tests/e2e/scene.h"
#include "tools/embedded_postgres/command.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

class HeldScenes : public Scene {
 protected:
  bool AwaitMetric(const std::string& line) {
    return Await([&] { return Metrics().find("\n" + line + "\n") != std::string::npos; });
  }
  // The first line of this event in batond's log; null where there is none.
  nlohmann::json Logged(const std::string& event) const {
    std::ifstream log(dir_.path() + "/batond.log");
    for (std::string line; std::getline(log, line);) {
      const auto entry = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
      if (entry.is_object() && entry.value("event", "") == event) return entry;
    }
    return nullptr;
  }
  Result<CommandResult> Convergence() { return RunCommand(Baton({"admin", "convergence", "--run"}), std::nullopt); }
};

TEST_F(HeldScenes, MetricLogAndExitCodeSayThatARollWaitsForAPerson) {
  Begin(v2::Strategy::HOLD);
  auto convergence = Convergence();
  ASSERT_TRUE(convergence);
  EXPECT_EQ(convergence->exit_status, 0) << convergence->output;
  EXPECT_TRUE(AwaitMetric("baton_rolls{state=\"HELD\"} 0"));
  EXPECT_EQ(Logged("roll_held"), nullptr);

  const v2::Roll roll = UpdateToABadOne("v2");
  EXPECT_EQ(EndOf(roll), v2::HELD);
  convergence = Convergence();
  ASSERT_TRUE(convergence);
  EXPECT_EQ(convergence->exit_status, 1);
  EXPECT_THAT(convergence->output, HasSubstr("held_roll"));
  EXPECT_THAT(convergence->output, HasSubstr(app_.process_guid + ": 3 failed attempts in slot 0"));
  EXPECT_TRUE(AwaitMetric("baton_rolls{state=\"HELD\"} 1"));
  EXPECT_TRUE(AwaitMetric("baton_slots{served=\"true\"} " + std::to_string(app_.instances)));
  const nlohmann::json held = Logged("roll_held");
  ASSERT_TRUE(held.is_object());
  EXPECT_EQ(held["level"], "warn");
  EXPECT_EQ(held["app"], app_.process_guid);
  EXPECT_EQ(held["roll"], roll.roll_id());
  EXPECT_THAT(held["reason"].get<std::string>(), HasSubstr("slot "));
  EXPECT_EQ(Logged("roll_finished")["definition"], "v1") << "nothing but the first start is over";

  const auto cancelled = RunCommand(Baton({"rollout", "cancel", app_.process_guid}), std::nullopt);
  ASSERT_TRUE(cancelled && cancelled->exit_status == 0) << cancelled->output;
  EXPECT_EQ(EndOf(roll), v2::ROLLED_BACK);
  convergence = Convergence();
  ASSERT_TRUE(convergence);
  EXPECT_EQ(convergence->exit_status, 0) << convergence->output;
  EXPECT_TRUE(AwaitMetric("baton_rolls{state=\"HELD\"} 0"));
  EXPECT_TRUE(AwaitMetric("baton_rolls_finished_total{state=\"ROLLED_BACK\"} 1"));
  EXPECT_TRUE(
      AwaitMetric(std::string("baton_build_info{schema=\"") + kSchemaSemver + "\",version=\"" + kAppVersion + "\"} 1"));
}

}  // namespace
}  // namespace baton
