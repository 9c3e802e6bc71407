// Defaults of a strategy stand once, in orchestrator/model/strategy.h; what the rules, the guide and the API's comments
// say of them is the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "orchestrator/model/strategy.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

// On one line: a comment's marks and breaks are blanks.
std::string Text(const std::string& path) {
  std::ifstream in(std::string(BATON_SOURCES) + "/" + path);
  std::stringstream text;
  text << in.rdbuf();
  return std::regex_replace(text.str(), std::regex("\\n *(//)?"), " ");
}

std::string Seconds(Duration time) { return std::to_string(time / seconds(1)) + " s"; }

// 600,000
std::string Milliseconds(Duration time) {
  std::string digits = std::to_string(time / milliseconds(1));
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string Number(const IntOrPercent& amount) { return std::to_string(amount.value); }

TEST(StrategyDefaults, AreThoseOfTheRules) {
  const Strategy d;
  const std::string rules = Text("docs/internals/rolls.md");
  EXPECT_THAT(rules, HasSubstr("| max_surge*, max_unavailable | " + Number(d.max_surge) + ", " +
                               Number(d.max_unavailable) + " |"));
  EXPECT_THAT(rules, HasSubstr("| max_in_flight* | " + Number(d.max_in_flight) + " |"));
  EXPECT_THAT(rules, HasSubstr("| count_stopping | " + std::string(d.count_stopping ? "true" : "false") + " |"));
  EXPECT_THAT(rules, HasSubstr("| min_healthy_time | " + Seconds(d.min_healthy_time) + " |"));
  EXPECT_THAT(rules, HasSubstr("| progress_deadline* | " +
                               std::to_string(d.progress_deadline / std::chrono::minutes(1)) + " min |"));
  EXPECT_THAT(rules,
              HasSubstr("| wait_deadline | " + std::to_string(d.wait_deadline / std::chrono::hours(1)) + " h |"));
  EXPECT_THAT(rules, HasSubstr("| max_failures, max_failed_slots | " + std::to_string(d.max_failures) + ", " +
                               std::to_string(d.max_failed_slots) + " |"));
  EXPECT_THAT(rules, HasSubstr("| drain_min, drain_timeout, stop_timeout | " + Seconds(d.drain_min) + ", " +
                               Seconds(d.drain_timeout) + ", " + Seconds(d.stop_timeout) + " |"));
}

TEST(StrategyDefaults, AreThoseOfTheGuide) {
  const Strategy d;
  EXPECT_THAT(Text("docs/guide/01-rolls.md"),
              HasSubstr("(`max_surge: " + Number(d.max_surge) + "`, `max_unavailable: " + Number(d.max_unavailable) +
                        "`, `max_in_flight: " + Number(d.max_in_flight) + "`)"));
}

// Of a field that has one, the number behind "Default" in its own comment.
TEST(StrategyDefaults, AreThoseOfTheApi) {
  const Strategy d;
  const std::string api = Text("proto/baton/v2/strategy.proto");
  const std::pair<std::string, std::string> kFields[] = {{"max_surge", Number(d.max_surge)},
                                                         {"max_unavailable", Number(d.max_unavailable)},
                                                         {"max_in_flight", Number(d.max_in_flight)},
                                                         {"min_healthy_time_ms", Milliseconds(d.min_healthy_time)},
                                                         {"progress_deadline_ms", Milliseconds(d.progress_deadline)},
                                                         {"wait_deadline_ms", Milliseconds(d.wait_deadline)},
                                                         {"max_failures", std::to_string(d.max_failures)},
                                                         {"max_failed_slots", std::to_string(d.max_failed_slots)},
                                                         {"drain_min_ms", Milliseconds(d.drain_min)},
                                                         {"drain_timeout_ms", Milliseconds(d.drain_timeout)},
                                                         {"stop_timeout_ms", Milliseconds(d.stop_timeout)}};
  for (const auto& [field, value] : kFields) {
    const std::size_t at = api.find(" " + field + " = ");
    ASSERT_NE(at, std::string::npos) << field;
    const std::size_t said = api.rfind("Default ", at);
    ASSERT_NE(said, std::string::npos) << field;
    EXPECT_EQ(api.substr(said + 8, value.size()), value) << field;
    EXPECT_THAT(";,. ", HasSubstr(api.substr(said + 8 + value.size(), 1))) << field;
  }
}

}  // namespace
}  // namespace baton
