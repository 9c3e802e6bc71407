#include "tests/monitoring/alerts.h"

#include <yaml-cpp/yaml.h>

#include <fstream>
#include <sstream>

namespace baton::monitoring {
namespace {

std::string Text(const YAML::Node& node) { return node ? node.as<std::string>() : ""; }

}  // namespace

std::string ReadSource(const std::string& path) {
  std::ifstream file(std::string(BATON_SOURCE_DIR "/") + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<Alert> Alerts() {
  std::vector<Alert> alerts;
  for (const YAML::Node& group : YAML::Load(ReadSource("deploy/monitoring/baton.rules.yml"))["groups"]) {
    for (const YAML::Node& rule : group["rules"]) {
      const YAML::Node& words = rule["annotations"];
      alerts.push_back({Text(rule["alert"]), Text(rule["expr"]), Text(rule["labels"]["severity"]),
                        Text(words["summary"]), Text(words["do"]), Text(words["runbook"])});
    }
  }
  return alerts;
}

std::vector<AskedOfAlert> TestsOfAlerts() {
  std::vector<AskedOfAlert> asked;
  for (const YAML::Node& test : YAML::Load(ReadSource("deploy/monitoring/baton.rules.test.yml"))["tests"]) {
    for (const YAML::Node& one : test["promql_expr_test"]) {
      asked.push_back({Text(one["expr"]), one["exp_samples"].size() > 0});
    }
  }
  return asked;
}

}  // namespace baton::monitoring
