#include "tools/stack/hello_app.h"

#include <nlohmann/json.hpp>

namespace baton::stack {
namespace {

constexpr int kCheckEveryMs = 100;
constexpr int kStartTimeoutMs = 15'000;
constexpr int kMemoryMb = 32;

void AddSetting(const std::string& setting, v1::DesiredLRPRunInfo& run) {
  const std::size_t equals = setting.find('=');
  v1::EnvironmentVariable* variable = run.add_environment_variables();
  variable->set_name(setting.substr(0, equals));
  variable->set_value(setting.substr(equals + 1));
}

}  // namespace

v2::LRPDefinition HelloDefinition(const HelloApp& app, const std::string& version,
                                  const std::vector<std::string>& settings) {
  v2::LRPDefinition definition;
  definition.set_definition_identifier(version);
  definition.mutable_resource()->set_root_fs("host:any");
  definition.mutable_resource()->set_memory_mb(kMemoryMb);
  v1::DesiredLRPRunInfo& run = *definition.mutable_run_info();
  run.mutable_action()->mutable_run_action()->set_path(app.program);
  run.set_start_timeout_ms(kStartTimeoutMs);
  run.add_ports(app.port);
  AddSetting("VERSION=" + version, run);
  for (const std::string& setting : settings) AddSetting(setting, run);
  v1::CheckDefinition& checks = *run.mutable_check_definition();
  // Alive is who takes connections; to be asked things, it must answer that it is ready.
  checks.add_checks()->mutable_tcp_check()->set_port(app.port);
  v1::HTTPCheck& ready = *checks.add_readiness_checks()->mutable_http_check();
  ready.set_port(app.port);
  ready.set_path("/healthz");
  ready.set_interval_ms(kCheckEveryMs);
  return definition;
}

v2::LRPDefinition CrashingHello(const HelloApp& app, const std::string& version, int crash_after_ms) {
  return HelloDefinition(app, version, {"NEVER_READY=1", "CRASH_AFTER_MS=" + std::to_string(crash_after_ms)});
}

v2::DesiredLRP DesiredHello(const HelloApp& app, const v2::LRPDefinition& definition) {
  v2::DesiredLRP desired;
  desired.set_process_guid(app.process_guid);
  desired.set_domain("demo");
  desired.set_instances(app.instances);
  const nlohmann::json routes = {{{"hostnames", {app.hostname}}, {"port", app.port}}};
  (*desired.mutable_routes()->mutable_routes())["cf-router"] = routes.dump();
  v2::Strategy& strategy = *desired.mutable_strategy();
  strategy.mutable_max_surge()->set_count(1);
  strategy.mutable_max_unavailable()->set_count(0);
  strategy.mutable_max_in_flight()->set_count(1);
  strategy.set_min_healthy_time_ms(app.min_healthy_ms);
  strategy.set_drain_timeout_ms(app.drain_timeout_ms);
  strategy.set_max_failures(app.max_failures);
  strategy.set_on_failure(v2::Strategy::ROLLBACK);
  *desired.mutable_definition() = definition;
  return desired;
}

v2::DesiredLRPUpdate UpdateTo(const v2::LRPDefinition& definition) {
  v2::DesiredLRPUpdate update;
  update.set_update_identifier(definition.definition_identifier());
  *update.mutable_desired_lrp()->mutable_definition() = definition;
  return update;
}

}  // namespace baton::stack
