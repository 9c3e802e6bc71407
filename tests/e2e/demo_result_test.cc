#include "tools/demo/demo_result.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace baton {
namespace {

v2::Definition Kept(const std::string& name, std::int64_t created_at, v2::KeepReason reason) {
  v2::Definition definition;
  definition.set_definition_identifier(name);
  definition.set_created_at(created_at);
  definition.add_kept_because(reason);
  return definition;
}

demo::DemoResult Good() {
  demo::DemoResult result;
  result.instances = 6;
  result.requests = 12345;
  result.longest_gap_ms = 12;
  result.min_serving = result.min_serving_good = result.min_serving_bad = 6;
  result.good_outcome = v2::COMPLETED;
  result.roll_seconds = 31.24;
  result.roll_floor_seconds = 30.61;
  result.bad_outcome = v2::ROLLED_BACK;
  result.failed_attempts = 3;
  result.lost_outcome = v2::COMPLETED;
  result.lost_instances = 3;
  result.recovered_seconds = 12.84;
  result.route_change_outcome = v2::COMPLETED;
  result.late_crash_outcome = v2::ROLLED_BACK;
  result.late_crash_attempts = 3;
  result.route_change_min_serving = result.late_crash_min_serving = 6;
  result.drains = 12;
  result.longest_drain_wait_ms = 310;
  result.definitions = {Kept("v1", 1, v2::KEEP_REASON_HISTORY), Kept("v2", 2, v2::KEEP_REASON_ACTIVE)};
  return result;
}

TEST(DemoResult, LastLinesSayItAll) {
  EXPECT_EQ(demo::AsLines(Good()),
            "requests 12345  failed 0  longest gap 12 ms\n"
            "v1 -> v2: 6 instances in 31.2 s (floor 30.6 s), never below 6 serving\n"
            "v3 (crashes): 3 failed attempts, rolled back to v2, never below 6 serving\n"
            "v2 -> v4, a machine dies: its 3 instances were replaced in 12.8 s, completed\n"
            "v4 -> v5, port and route change: completed, 0 requests failed, never below 6 serving\n"
            "v6 (crashes a second after it is let in): 3 failed attempts, rolled back to v5, never below 6 serving\n"
            "drains: 12 old instances, each gone at most 310 ms after its last answer\n"
            "definitions kept: 2 (v2 active, v1 history)   open rolls: 0\n");
}

TEST(DemoResult, JsonHasTheNamesThatScriptsKnow) {
  EXPECT_EQ(nlohmann::json::parse(demo::AsJson(Good())), nlohmann::json::parse(R"({
    "requests": 12345, "failed": 0, "longest_gap_ms": 12, "roll_seconds": 31.2, "roll_floor_seconds": 30.6,
    "min_serving": 6, "instances": 6, "bad_update_outcome": "rolled_back", "lost_instances": 3, "recovered_seconds": 12.8,
    "route_change_failed": 0, "late_crash_min_serving": 6, "longest_drain_wait_ms": 310, "definitions": 2,
    "open_rolls": 0})"));
}

TEST(DemoResult, WhatCouldNotBeJudgedIsNull) {
  demo::DemoResult result = Good();
  result.min_serving.reset();
  EXPECT_TRUE(nlohmann::json::parse(demo::AsJson(result))["min_serving"].is_null());
  EXPECT_EQ(demo::BrokenPromises(result).size(), 1u);
}

TEST(DemoResult, OtherOutcomesHaveTheirNames) {
  demo::DemoResult result = Good();
  result.bad_outcome = v2::HELD;
  EXPECT_EQ(nlohmann::json::parse(demo::AsJson(result))["bad_update_outcome"], "held");
  result.bad_outcome = v2::COMPLETED;
  EXPECT_EQ(nlohmann::json::parse(demo::AsJson(result))["bad_update_outcome"], "completed");
}

TEST(DemoResult, PromisesAreNoFailureAndTheFloorAndBothOutcomes) {
  EXPECT_TRUE(demo::BrokenPromises(Good()).empty());
  demo::DemoResult failed = Good();
  failed.failed = 1;
  EXPECT_EQ(demo::BrokenPromises(failed), std::vector<std::string>{"1 requests failed"});
  demo::DemoResult low = Good();
  low.min_serving = 5;
  EXPECT_EQ(demo::BrokenPromises(low), std::vector<std::string>{"for a second only 5 of 6 slots answered"});
  demo::DemoResult stuck = Good();
  stuck.good_outcome = v2::HELD;
  EXPECT_EQ(demo::BrokenPromises(stuck), std::vector<std::string>{"the update to v2 ended as held"});
  demo::DemoResult lost = Good();
  lost.lost_outcome = v2::HELD;
  EXPECT_EQ(demo::BrokenPromises(lost),
            std::vector<std::string>{"the update to v4, in which a machine died, ended as held"});
  demo::DemoResult accepted = Good();
  accepted.bad_outcome = v2::COMPLETED;
  EXPECT_EQ(demo::BrokenPromises(accepted), std::vector<std::string>{"the update to v3 ended as completed"});
}

TEST(DemoResult, ADrainThatWaitsForItsTimeoutIsBroken) {
  demo::DemoResult waited = Good();
  waited.longest_drain_wait_ms = 9312;
  EXPECT_EQ(demo::BrokenPromises(waited),
            std::vector<std::string>{"an old instance was gone only 9312 ms after its last answer; a drain that is "
                                     "acknowledged takes 3000 ms at most"});
}

TEST(DemoResult, DrainsThatTheTrafficCouldNotJudgeAreBroken) {
  demo::DemoResult blind = Good();
  blind.drains = 0;
  blind.longest_drain_wait_ms.reset();
  EXPECT_TRUE(nlohmann::json::parse(demo::AsJson(blind))["longest_drain_wait_ms"].is_null());
  EXPECT_EQ(demo::BrokenPromises(blind),
            std::vector<std::string>{"only 0 drains could be judged by the traffic, not 12"});
}

TEST(DemoResult, WhatTheCollectorHasLeftIsSaidAsItIs) {
  demo::DemoResult result = Good();
  result.definitions.push_back(Kept("v3", 3, v2::KEEP_REASON_ACTIVE));
  result.definitions.back().clear_kept_because();
  EXPECT_NE(demo::AsLines(result).find("definitions kept: 3 (v3 not collected yet, v2 active, v1 history)"),
            std::string::npos);
}

}  // namespace
}  // namespace baton
