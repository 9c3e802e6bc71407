// Debian's Prometheus with deploy/monitoring: its rules as they are, and its prometheus.yml with other addresses and
// shorter intervals.
#pragma once

#include <map>
#include <string>

#include "tools/stack/program.h"

namespace baton::monitoring {

// An alert that is pending or firing.
struct ActiveAlert {
  std::string state;  // "pending", "firing"
  double value = 0;   // of its expression
  std::string severity, runbook;
};

class Prometheus {
 public:
  static bool Installed();

  // Its files are in `dir`. `targets`: "host:port" of each job in prometheus.yml. Throws StackError where it does not
  // start.
  Prometheus(const std::string& dir, const std::map<std::string, std::string>& targets);

  // Both wait for its answer; StackError where there is none.
  // By name.
  std::map<std::string, ActiveAlert> Alerts();
  // Of each job whether it could be read: "up", "down", "unknown" before the first time.
  std::map<std::string, std::string> Targets();

 private:
  // The field `data` of the answer, as JSON.
  std::string Ask(const std::string& path);

  const std::string address_;
  stack::Program program_;
};

}  // namespace baton::monitoring
