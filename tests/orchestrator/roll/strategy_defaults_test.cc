// Defaults of a strategy stand once, in orchestrator/model/strategy.h; what the rules, the guide and the API's comments
// say of them is the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
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

// As an app file says it.
std::string Spelled(Duration time) {
  const auto in = [&](Duration unit, const char* name) { return std::to_string(time / unit) + name; };
  if (time.count() != 0 && time % std::chrono::hours(1) == Duration(0)) return in(std::chrono::hours(1), "h");
  if (time.count() > Duration(seconds(60)).count() && time % std::chrono::minutes(1) == Duration(0))
    return in(std::chrono::minutes(1), "m");
  return in(seconds(1), "s");
}

// The keys of a strategy in an app file, with their defaults. What has none of its own says what stands for it.
std::map<std::string, std::string> InAppFiles() {
  const Strategy d;
  EXPECT_EQ(d.mode, Mode::kRolling);
  EXPECT_EQ(d.on_failure, OnFailure::kRollback);
  EXPECT_FALSE(d.start_timeout || d.bake_time || !d.stages.empty());
  return {{"mode", "ROLLING"},
          {"max_surge", Number(d.max_surge)},
          {"max_unavailable", Number(d.max_unavailable)},
          {"max_in_flight", Number(d.max_in_flight)},
          {"count_stopping", d.count_stopping ? "true" : "false"},
          {"min_healthy_time", Spelled(d.min_healthy_time)},
          {"start_timeout", "that of the definition"},
          {"progress_deadline", Spelled(d.progress_deadline)},
          {"wait_deadline", Spelled(d.wait_deadline)},
          {"max_failures", std::to_string(d.max_failures)},
          {"max_failed_slots", std::to_string(d.max_failed_slots)},
          {"on_failure", "ROLLBACK"},
          {"bake_time", "as min_healthy_time"},
          {"stages", "none"},
          {"drain_min", Spelled(d.drain_min)},
          {"drain_timeout", Spelled(d.drain_timeout)},
          {"stop_timeout", Spelled(d.stop_timeout)}};
}

// What a file says of the default of each key below `strategy:`: "Default: VALUE" or "default VALUE" in the comment
// before it or behind it, else the value that stands there.
std::map<std::string, std::string> Said(const std::string& path) {
  static const std::regex kKey("^  ([a-z_]+):(?: *([^ #]+))?.*");
  static const std::regex kDefault("[Dd]efault:? ([^.;]+)");
  std::map<std::string, std::string> said;
  std::ifstream in(std::string(BATON_SOURCES) + "/" + path);
  bool within = false;
  std::string comment;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(" ")) within = line.starts_with("strategy:");
    if (!within) continue;
    std::smatch found;
    if (std::regex_match(line, found, kKey)) {
      const std::string key = found[1], value = found[2];
      comment += line;
      said[key] = std::regex_search(comment, found, kDefault) ? std::string(found[1]) : value;
    }
    comment = line.starts_with("  #") ? comment + line : "";
  }
  return said;
}

TEST(StrategyDefaults, AreThoseOfTheExampleThatHasEveryKey) {
  EXPECT_EQ(Said("examples/apps/full.yaml"), InAppFiles());
}

TEST(StrategyDefaults, AreThoseOfTheShortExample) {
  const auto defaults = InAppFiles();
  const auto said = Said("docs/reference/cli.md");
  EXPECT_GE(said.size(), 3U);
  for (const auto& [key, value] : said) {
    if (key == "stages") continue;  // it shows some
    EXPECT_EQ(value, defaults.at(key)) << key;
  }
}

}  // namespace
}  // namespace baton
