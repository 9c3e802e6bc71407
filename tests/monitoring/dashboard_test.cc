// Grafana's dashboard, which nothing in Debian can show: it asks for what there is, and is one that Grafana takes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "tests/monitoring/alerts.h"
#include "tests/monitoring/known_metrics.h"

namespace baton::monitoring {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Dashboard : public ::testing::Test {
 protected:
  void SetUp() override {
    dashboard_ = json::parse(ReadSource("deploy/monitoring/baton.grafana.json"), nullptr, /*allow_exceptions=*/false);
    ASSERT_TRUE(dashboard_.is_object());
  }
  json dashboard_;
};

TEST_F(Dashboard, AsksForWhatThereIs) {
  for (const json& panel : dashboard_["panels"]) {
    if (panel["type"] == "row") continue;
    EXPECT_THAT(panel["targets"], ::testing::Not(IsEmpty())) << panel["title"];
    for (const json& target : panel["targets"]) {
      const Asked asked = WhatIsAsked(target["expr"].get<std::string>(), {"baton_", "process_", "up"});
      EXPECT_THAT(asked.uses, ::testing::Not(IsEmpty())) << panel["title"];
      EXPECT_THAT(Faults(asked), IsEmpty()) << panel["title"];
      // {{label}} in a legend is a label that is left.
      const auto legend = target.value("legendFormat", "");
      static const std::regex in_legend("\\{\\{(\\w+)\\}\\}");
      for (std::sregex_iterator at(legend.begin(), legend.end(), in_legend), end; at != end; ++at) {
        Asked grouped = asked;
        grouped.grouped_by = {(*at)[1]};
        EXPECT_THAT(Faults(grouped), IsEmpty()) << "the legend of " << panel["title"];
      }
    }
  }
}

TEST_F(Dashboard, HasTheFourRows) {
  std::vector<std::string> rows;
  for (const json& panel : dashboard_["panels"]) {
    if (panel["type"] == "row") rows.push_back(panel["title"]);
  }
  EXPECT_THAT(rows, ElementsAre("Is it well", "Rolls", "Calls", "Machines and data"));
}

// What one Grafana calls its Prometheus another does not know.
TEST_F(Dashboard, IsBoundToNoDatasource) {
  const json& variable = dashboard_["templating"]["list"][0];
  EXPECT_EQ(variable["type"], "datasource");
  EXPECT_EQ(variable["query"], "prometheus");
  for (const json& panel : dashboard_["panels"]) {
    if (panel["type"] == "row") continue;
    EXPECT_EQ(panel["datasource"]["uid"], "${" + variable["name"].get<std::string>() + "}") << panel["title"];
    for (const json& target : panel["targets"]) EXPECT_FALSE(target.contains("datasource")) << panel["title"];
  }
  EXPECT_TRUE(dashboard_["id"].is_null()) << "Grafana gives it one";
}

TEST_F(Dashboard, PanelsHaveIdsAndPlacesOfTheirOwn) {
  std::set<int> ids;
  std::set<std::pair<int, int>> taken;
  for (const json& panel : dashboard_["panels"]) {
    EXPECT_TRUE(ids.insert(panel["id"].get<int>()).second) << "id " << panel["id"] << " is there twice";
    const json& at = panel["gridPos"];
    const int left = at["x"], top = at["y"], width = at["w"], height = at["h"];
    EXPECT_LE(left + width, 24) << panel["title"];
    for (int x = left; x < left + width; ++x) {
      for (int y = top; y < top + height; ++y)
        EXPECT_TRUE(taken.emplace(x, y).second) << panel["title"] << " lies on another";
    }
  }
}

TEST(PagesOfMetrics, NameLabelsThatThereAre) {
  int labelled = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(BATON_SOURCE_DIR "/docs")) {
    const std::string path = entry.path().string().substr(sizeof BATON_SOURCE_DIR);
    if (!path.ends_with(".md") || path.starts_with("docs/decisions")) continue;
    for (const MetricUse& use : WhatIsAsked(ReadSource(path), {"baton_"}).uses) {
      if (use.labels.empty()) continue;  // tests/tidy looks whether such a name is anywhere
      ++labelled;
      EXPECT_THAT(Faults({{use}, {}}), IsEmpty()) << path;
    }
  }
  EXPECT_GE(labelled, 10);
}

// What nobody shows and nobody is paged for is on the page of metrics at least, with its labels: baton-law prints them
// all there.
TEST(PagesOfMetrics, NameEveryMetric) {
  const std::string page = ReadSource("docs/generated/metrics.md");
  for (const auto& [name, labels] : KnownMetrics()) {
    if (name == "up") continue;  // Prometheus' own
    EXPECT_NE(page.find("`" + name + "`"), std::string::npos) << name << " is not on the page";
  }
}

}  // namespace
}  // namespace baton::monitoring
