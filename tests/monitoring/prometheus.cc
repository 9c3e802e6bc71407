#include "tests/monitoring/prometheus.h"

#include <unistd.h>
#include <yaml-cpp/yaml.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/monitoring/alerts.h"
#include "tools/stack/free_port.h"
#include "tools/stack/http.h"
#include "tools/stack/stack_error.h"
#include "tools/stack/wait_for.h"

namespace baton::monitoring {
namespace {

constexpr const char* kPrometheus = "/usr/bin/prometheus";
constexpr std::chrono::seconds kPatience{60};

// Its path. What is not set here is as in the example.
std::string WriteConfiguration(const std::string& dir, const std::map<std::string, std::string>& targets) {
  YAML::Node all = YAML::Load(ReadSource("deploy/monitoring/prometheus.yml"));
  all["global"]["scrape_interval"] = "5s";  // as that of batond there; it is also how long a scrape may take
  all["global"]["evaluation_interval"] = "1s";
  all["rule_files"] = std::vector<std::string>{BATON_SOURCE_DIR "/deploy/monitoring/baton.rules.yml"};
  for (YAML::Node job : all["scrape_configs"]) {
    job["static_configs"][0]["targets"] = std::vector<std::string>{targets.at(job["job_name"].as<std::string>())};
  }
  const std::string path = dir + "/prometheus.yml";
  std::ofstream(path) << all;
  return path;
}

}  // namespace

bool Prometheus::Installed() { return access(kPrometheus, X_OK) == 0; }

Prometheus::Prometheus(const std::string& dir, const std::map<std::string, std::string>& targets)
    : address_("127.0.0.1:" + std::to_string(stack::FreePort())),
      program_({.name = "prometheus",
                .command = {kPrometheus, "--config.file=" + WriteConfiguration(dir, targets),
                            "--storage.tsdb.path=" + dir + "/prometheus", "--web.listen-address=" + address_,
                            "--log.level=warn"},
                .log = dir + "/prometheus.log"}) {}

std::string Prometheus::Ask(const std::string& path) {
  stack::HttpAnswer answer;
  const bool answered = stack::WaitFor(kPatience, {}, [&] {
    if (!program_.Running()) throw stack::StackError(program_.Describe("ended"));
    answer = stack::HttpGet(address_, address_, path);
    return answer.status == 200;
  });
  if (!answered) throw stack::StackError(program_.Describe("did not answer " + path));
  return nlohmann::json::parse(answer.body).at("data").dump();
}

std::map<std::string, ActiveAlert> Prometheus::Alerts() {
  std::map<std::string, ActiveAlert> active;
  const auto answer = nlohmann::json::parse(Ask("/api/v1/alerts"));
  for (const auto& alert : answer.at("alerts")) {
    const auto& labels = alert.at("labels");
    active[labels.at("alertname")] = {.state = alert.at("state"),
                                      .value = std::stod(alert.at("value").get<std::string>()),
                                      .severity = labels.at("severity"),
                                      .runbook = alert.at("annotations").at("runbook")};
  }
  return active;
}

std::map<std::string, std::string> Prometheus::Targets() {
  std::map<std::string, std::string> health;
  const auto answer = nlohmann::json::parse(Ask("/api/v1/targets"));
  for (const auto& target : answer.at("activeTargets")) {
    health[target.at("labels").at("job")] = target.at("health");
  }
  return health;
}

}  // namespace baton::monitoring
