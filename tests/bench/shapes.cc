#include "tests/bench/shapes.h"

#include <cstdio>

namespace baton::bench {
namespace {

void SetVariable(v1::DesiredLRPRunInfo& run_info, const std::string& name, const std::string& value) {
  auto& variable = *run_info.add_environment_variables();
  variable.set_name(name);
  variable.set_value(value);
}

void SetRun(v1::Action& action, const std::string& path) {
  action.mutable_run_action()->set_path(path);
  action.mutable_run_action()->set_user("vcap");
}

void AddEgressRule(v1::DesiredLRPRunInfo& run_info, int number) {
  auto& rule = *run_info.add_egress_rules();
  rule.set_protocol("tcp");
  rule.add_destinations("10." + std::to_string(number) + ".0.0/16");
  rule.add_destinations("192.168." + std::to_string(number) + ".0/24");
  rule.mutable_port_range()->set_start(1024);
  rule.mutable_port_range()->set_end(65535);
}

v2::LRPDefinition LightDefinition(const std::string& version) {
  v2::LRPDefinition definition;
  definition.mutable_resource()->set_root_fs("host:");
  definition.mutable_resource()->set_memory_mb(1024);
  definition.mutable_resource()->set_disk_mb(512);
  auto& run_info = *definition.mutable_run_info();
  SetVariable(run_info, "FOO", version);
  SetRun(*run_info.mutable_setup(), "ls");
  SetRun(*run_info.mutable_action(), "ls");
  auto& timeout = *run_info.mutable_monitor()->mutable_emit_progress_action()->mutable_action()->mutable_timeout_action();
  timeout.set_timeout_ms(10'000);
  auto& parallel = *timeout.mutable_action()->mutable_try_action()->mutable_action()->mutable_parallel_action();
  SetRun(*parallel.add_actions()->mutable_serial_action()->add_actions(), "ls");
  run_info.set_start_timeout_ms(120'000);  // 20,000 are claimed before the first of them is started, however busy the machine
  run_info.set_cpu_weight(42);
  run_info.set_log_source("log-source");
  AddEgressRule(run_info, 0);
  return definition;
}

void MakeHeavy(v1::DesiredLRPRunInfo& run_info) {
  SetVariable(run_info, "VCAP_APPLICATION", std::string(1500, 'a'));
  SetVariable(run_info, "VCAP_SERVICES", std::string(2500, 's'));
  for (int i = 0; i < 10; ++i) SetVariable(run_info, "VARIABLE_" + std::to_string(i), std::string(40, 'v'));
  for (int i = 1; i <= 10; ++i) AddEgressRule(run_info, i);
  for (int i = 0; i < 3; ++i) {
    auto& dependency = *run_info.add_cached_dependencies();
    dependency.set_name("dependency-" + std::to_string(i));
    dependency.set_from("http://file-server.service.cf.internal/v1/static/buildpack/" + std::to_string(i) + ".tgz");
    dependency.set_to("/tmp/lifecycle");
    dependency.set_cache_key("buildpack-" + std::to_string(i));
  }
}

}  // namespace

v2::DesireLRPRequest LightApp(const std::string& process_guid) {
  v2::DesireLRPRequest request;
  v2::DesiredLRP& app = *request.mutable_desired_lrp();
  app.set_process_guid(process_guid);
  app.set_domain("lab");
  app.set_log_guid(process_guid);
  app.set_instances(1);
  app.set_annotation("1700000000.123456789-0123456789-0123456789ab");
  auto& routes = *app.mutable_routes()->mutable_routes();
  routes["my-router"] = R"([{"hostnames":["app.example"],"port":8080}])";
  routes["diego-ssh"] = R"({"container_port":2222,"private_key":")" + std::string(890, 'k') +
                        R"(","host_fingerprint":"aa:bb:cc:dd:ee:ff:00:11:22:33:44:55:66:77:88:99"})";
  (*app.mutable_metric_tags())["source_id"].set_static_(process_guid);
  app.mutable_strategy()->set_min_healthy_time_ms(0);
  app.mutable_strategy()->set_drain_timeout_ms(0);
  *app.mutable_definition() = LightDefinition("v1");
  return request;
}

v2::DesireLRPRequest HeavyApp(const std::string& process_guid) {
  v2::DesireLRPRequest request = LightApp(process_guid);
  MakeHeavy(*request.mutable_desired_lrp()->mutable_definition()->mutable_run_info());
  return request;
}

v2::LRPDefinition SimulatedHello(const stack::HelloApp& app, const std::string& version) {
  v2::LRPDefinition definition = stack::HelloDefinition(app, version);
  definition.mutable_run_info()->clear_ports();
  definition.mutable_run_info()->clear_check_definition();
  definition.mutable_run_info()->clear_monitor();
  return definition;
}

v2::UpdateDesiredLRPRequest NewDefinition(const std::string& process_guid, const std::string& version) {
  v2::UpdateDesiredLRPRequest request;
  request.set_process_guid(process_guid);
  *request.mutable_update()->mutable_desired_lrp()->mutable_definition() = LightDefinition(version);
  return request;
}

std::string BenchGuid(int number) {
  char guid[16];
  std::snprintf(guid, sizeof guid, "app-%07d", number);
  return guid;
}

}  // namespace baton::bench
