#include "tools/cell/health/check_plan.h"

#include <algorithm>

namespace baton::cell {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kCheckTimeout{1000};
constexpr milliseconds kMonitorTimeout{10'000};
constexpr milliseconds kInterval{5000};
constexpr milliseconds kIntervalMin{50};
constexpr std::uint64_t kMillisMax = 3'600'000;

milliseconds Or(std::uint64_t ms, milliseconds fallback) {
  return ms == 0 ? fallback : milliseconds(std::min(ms, kMillisMax));
}

std::uint32_t PortOf(const v1::Check& check) {
  return check.has_tcp_check() ? check.tcp_check().port() : check.http_check().port();
}

std::optional<CheckSpec> SpecOf(const v1::Check& check, CheckSpec::Purpose purpose, const PortMap& ports) {
  // Never a port of the machine's that is not the instance's.
  const auto mapped = ports.find(PortOf(check));
  if (mapped == ports.end()) return std::nullopt;
  CheckSpec spec;
  spec.purpose = purpose;
  spec.port = mapped->second;
  if (check.has_tcp_check()) {
    const v1::TCPCheck& tcp = check.tcp_check();
    spec.kind = CheckSpec::Kind::kTcp;
    spec.timeout = Or(tcp.connect_timeout_ms(), kCheckTimeout);
    spec.interval = std::max(kIntervalMin, Or(tcp.interval_ms(), kInterval));
    return spec;
  }
  if (!check.has_http_check()) return std::nullopt;
  const v1::HTTPCheck& http = check.http_check();
  spec.kind = CheckSpec::Kind::kHttp;
  spec.path = http.path().empty() ? "/" : http.path();
  spec.timeout = Or(http.request_timeout_ms(), kCheckTimeout);
  spec.interval = std::max(kIntervalMin, Or(http.interval_ms(), kInterval));
  return spec;
}

}  // namespace

std::vector<CheckSpec> ChecksOf(const v1::DesiredLRPRunInfo& run_info, const PortMap& ports) {
  using Purpose = CheckSpec::Purpose;
  std::vector<CheckSpec> specs;
  const auto add = [&](const v1::Check& check, Purpose purpose) {
    if (const auto spec = SpecOf(check, purpose, ports)) specs.push_back(*spec);
  };
  for (const v1::Check& check : run_info.check_definition().checks()) add(check, Purpose::kLiveness);
  for (const v1::Check& check : run_info.check_definition().readiness_checks()) add(check, Purpose::kReadiness);
  if (!specs.empty()) return specs;
  if (run_info.has_monitor()) {
    specs.push_back({.kind = CheckSpec::Kind::kMonitor, .timeout = kMonitorTimeout, .interval = kInterval});
  } else if (run_info.ports_size() > 0 && ports.contains(run_info.ports(0))) {
    specs.push_back({.purpose = Purpose::kStart, .port = ports.at(run_info.ports(0)), .timeout = kCheckTimeout});
  }
  return specs;
}

std::optional<std::uint32_t> StrangePort(const v1::DesiredLRPRunInfo& run_info) {
  const v1::CheckDefinition& all = run_info.check_definition();
  for (const auto* checks : {&all.checks(), &all.readiness_checks()}) {
    for (const v1::Check& check : *checks) {
      const bool known = std::ranges::find(run_info.ports(), PortOf(check)) != run_info.ports().end();
      if ((check.has_tcp_check() || check.has_http_check()) && !known) return PortOf(check);
    }
  }
  return std::nullopt;
}

}  // namespace baton::cell
