// deploy/monitoring/baton.rules.yml and its tests, as far as they are compared with other files.
#pragma once

#include <string>
#include <vector>

namespace baton::monitoring {

struct Alert {
  std::string name;
  std::string expression;
  std::string severity;
  std::string summary, what_to_do, runbook;  // its annotations
};
std::vector<Alert> Alerts();

// A question of promtool's tests.
struct AskedOfAlert {
  std::string expression;
  bool fires = false;
};
std::vector<AskedOfAlert> TestsOfAlerts();

std::string ReadSource(const std::string& path);  // from the root of the sources

}  // namespace baton::monitoring
