// The alerts ask for what there is, each is tested, and who is paged finds what to do.
#include "tests/monitoring/alerts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "orchestrator/model/calls/metrics_table.h"
#include "orchestrator/model/convergence/convergence.h"
#include "tests/monitoring/known_metrics.h"

namespace baton::monitoring {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kRunbook = "docs/guide/monitoring.md";

TEST(Alerts, AskForWhatThereIs) {
  const std::vector<Alert> alerts = Alerts();
  ASSERT_GE(alerts.size(), 20u);
  for (const Alert& alert : alerts) {
    const Asked asked = WhatIsAsked(alert.expression, {"baton_", "process_", "up"});
    EXPECT_THAT(asked.uses, ::testing::Not(IsEmpty())) << alert.name;
    EXPECT_THAT(Faults(asked), IsEmpty()) << alert.name;
  }
}

// One that never fires is as bad as one that always does.
TEST(Alerts, EachIsSeenToFireAndNotToFire) {
  const std::vector<AskedOfAlert> tests = TestsOfAlerts();
  for (const Alert& alert : Alerts()) {
    const std::string of = "alertname=\"" + alert.name + "\"";
    for (const bool fires : {true, false}) {
      EXPECT_TRUE(std::ranges::any_of(tests,
                                      [&](const AskedOfAlert& test) {
                                        return test.fires == fires && test.expression.find(of) != std::string::npos;
                                      }))
          << alert.name << (fires ? " is never seen to fire" : " is never seen not to fire")
          << " in baton.rules.test.yml";
    }
  }
}

std::set<std::string> HeadingsOf(const std::string& page) {
  std::set<std::string> headings;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("### ")) headings.insert(line.substr(4));
  }
  return headings;
}

std::string AnchorOf(std::string heading) {
  std::ranges::transform(heading, heading.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return heading;
}

TEST(Alerts, EachHasItsPlaceInTheRunbook) {
  const std::set<std::string> headings = HeadingsOf(ReadSource(kRunbook));
  std::set<std::string> names;
  for (const Alert& alert : Alerts()) {
    EXPECT_TRUE(names.insert(alert.name).second) << alert.name << " is there twice";
    EXPECT_THAT(headings, Contains(alert.name));
    EXPECT_EQ(alert.runbook, kRunbook + ("#" + AnchorOf(alert.name)));
    EXPECT_FALSE(alert.summary.empty()) << alert.name;
    EXPECT_FALSE(alert.what_to_do.empty()) << alert.name;
    EXPECT_TRUE(alert.severity == "page" || alert.severity == "ticket") << alert.name << ": " << alert.severity;
  }
  for (const std::string& heading : headings) EXPECT_THAT(names, Contains(heading)) << "in the runbook, and no alert";
}

// The page of metrics says of each by which alerts it pages somebody.
TEST(Alerts, AreNamedInTheTableOfMetrics) {
  std::map<std::string, std::set<std::string>> alarms;
  for (const Alert& alert : Alerts()) {
    for (const MetricUse& use : WhatIsAsked(alert.expression, {"baton_"}).uses) alarms[use.metric].insert(alert.name);
  }
  for (const auto table : {MetricsTable(), CellMetricsTable(), RouterMetricsTable()}) {
    for (const Metric& metric : table) {
      std::set<std::string> said;
      std::istringstream names(metric.alerts);
      for (std::string name; std::getline(names, name, ',');) said.insert(name);
      EXPECT_EQ(said, alarms[metric.name]) << metric.name;
    }
  }
}

// What no pass puts right pages somebody: a held roll and an unserved route have alerts of their own.
TEST(Alerts, ByYouIsWhatNoPassPutsRight) {
  const std::vector<Alert> alerts = Alerts();
  const auto by_you = std::ranges::find(alerts, "ByYou", &Alert::name);
  ASSERT_NE(by_you, alerts.end());
  const std::string& expression = by_you->expression;
  const std::size_t begin = expression.find('"') + 1;
  std::set<std::string> named;
  std::istringstream list(expression.substr(begin, expression.rfind('"') - begin));
  for (std::string name; std::getline(list, name, '|');) named.insert(name);
  std::set<std::string> expected;
  for (int i = 0; i < kCategories; ++i) {
    const auto category = static_cast<Category>(i);
    const bool own = category == Category::kHeldRoll || category == Category::kUnservedRoute;
    if (!InfoOf(category).repaired && !own) expected.insert(std::string(InfoOf(category).name));
  }
  EXPECT_EQ(named, expected);
}

TEST(MetricUses, AreFoundWithTheirLabels) {
  const Asked asked = WhatIsAsked(
      "sum by (call, le) (rate(baton_call_seconds_bucket{call!=\"a}b\", job=\"batond\"}[5m])) > on() up and "
      "baton_leading",
      {"baton_", "up"});
  ASSERT_EQ(asked.uses.size(), 3u);
  EXPECT_EQ(asked.uses[0], (MetricUse{"baton_call_seconds", {"call", "job"}}));
  EXPECT_EQ(asked.uses[1], (MetricUse{"up", {}}));
  EXPECT_EQ(asked.uses[2], (MetricUse{"baton_leading", {}}));
  EXPECT_EQ(asked.grouped_by, (std::set<std::string>{"call", "le"}));
}

TEST(MetricUses, ThatAreNotThereAreFaults) {
  EXPECT_THAT(
      Faults(WhatIsAsked("baton_rols + baton_rolls{phase=\"HELD\"} + sum by (cell) (baton_leading)", {"baton_"})),
      ::testing::ElementsAre("baton_rols is no metric", "baton_rolls has no label phase",
                             HasSubstr("label cell to group by")));
}

}  // namespace
}  // namespace baton::monitoring
