// When the checks of an instance are due and what their results mean. Pure: time and results come in as values.
//
// Until every check has passed once, each that has not is tried at the start interval; then the instance is ready.
// From then on each runs at its own interval: a liveness check that fails three times in a row is a crash; a readiness
// check that fails once takes the instance out of the routes until all readiness checks pass again.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tools/cell/instances/instance_law.h"

namespace baton::cell {

using CheckTime = std::chrono::steady_clock::time_point;

struct CheckSpec {
  enum class Kind { kTcp, kHttp, kMonitor };
  // kStart: only until it passed, for an instance that defines no check.
  enum class Purpose { kLiveness, kReadiness, kStart };
  Kind kind = Kind::kTcp;
  Purpose purpose = Purpose::kLiveness;
  std::uint32_t port = 0;  // of the host
  std::string path;        // kHttp
  std::chrono::milliseconds timeout{1000};
  std::chrono::milliseconds interval{5000};

  bool operator==(const CheckSpec&) const = default;
};

struct CheckResult {
  bool passed = false;
  std::string message;  // why not: "connection refused"
};

inline constexpr std::chrono::milliseconds kStartInterval{200};
inline constexpr int kLivenessFailuresMax = 3;

class HealthLaw {
 public:
  // `was_ready`: it is resumed after the cell was killed.
  HealthLaw(std::vector<CheckSpec> checks, bool was_ready, CheckTime now);

  // The checks to begin now; each is under way until its result comes.
  std::vector<std::size_t> TakeDue(CheckTime now);
  // When TakeDue will have something to give, if nothing else happens; nothing: never.
  std::optional<CheckTime> NextDue() const;
  // At most one event, as the instance's law takes it.
  std::optional<InstanceEvent> OnResult(std::size_t check, const CheckResult& result, CheckTime now);

  const CheckSpec& spec(std::size_t check) const { return checks_[check].spec; }
  // Of the last check that failed; empty: none did.
  const std::string& last_failure() const { return last_failure_; }

 private:
  struct Check {
    CheckSpec spec;
    bool passed = false;  // the last time
    int failures_in_row = 0;
    std::optional<CheckTime> due;  // nothing: under way, or never again
  };
  bool AllPassed() const;
  std::optional<InstanceEvent> BeforeReady();
  std::optional<InstanceEvent> WhenReady(const Check& check);

  std::vector<Check> checks_;
  bool ready_;
  std::string last_failure_;
};

// "TCP port 61001", "HTTP port 61001 /health", "monitor action".
std::string Describe(const CheckSpec& spec);

}  // namespace baton::cell
