#include "tests/adopt/random_app.h"

#include <array>

namespace baton::testing {

std::string RandomApps::Text() {
  static const std::array<std::string, 8> kTexts = {"",          "x",           "a \"b\" \\c {d,e}", "\xc3\xa4\xe2\x82\xac",
                                                    "NULL",      "line\nline", "'; --",              std::string(300, 't')};
  return kTexts[static_cast<std::size_t>(Upto(8))];
}

std::int64_t RandomApps::Nanos() {
  return std::int64_t{1'700'000'000} * 1'000'000'000 + static_cast<std::int64_t>(random_() % 1'000'000'000'000'000);
}

LegacyTags RandomApps::Tags() {
  LegacyTags tags;
  for (int i = Upto(4); i > 0; --i) {
    v1::MetricTagValue& tag = tags["tag" + std::to_string(Upto(5))];
    Chance(50) ? tag.set_static_(Text()) : tag.set_dynamic(v1::MetricTagValue::INDEX);
  }
  return tags;
}

void RandomApps::FillRunInfo(LegacyApp& app) {
  v1::DesiredLRPRunInfo& run = app.run_info;
  if (Chance(80)) run.mutable_desired_lrp_key()->set_process_guid(app.guid.str());
  if (Chance(50)) run.mutable_desired_lrp_key()->set_domain("stale");
  run.mutable_action()->mutable_run_action()->set_path("/bin/" + std::to_string(Upto(9)));
  run.mutable_action()->mutable_run_action()->set_user("vcap");
  for (int i = Upto(3); i > 0; --i) {
    auto* variable = run.add_environment_variables();
    variable->set_name("V" + std::to_string(i));
    variable->set_value(Text());
  }
  for (int i = Upto(3); i > 0; --i) run.add_ports(static_cast<std::uint32_t>(8080 + i));
  for (int i = Upto(3); i > 0; --i) run.add_volume_mounts()->set_driver("driver" + std::to_string(i % 2));
  if (Chance(50)) {
    for (const auto& mount : run.volume_mounts()) app.volume_placement.add_driver_names(mount.driver());
  }
  if (Chance(30)) run.set_image_username("puller");
  if (Chance(30)) run.set_image_password(Text());
  if (Chance(80)) run.set_created_at(Chance(5) ? Upto(2000) : Nanos());
  if (Chance(30)) run.set_start_timeout_ms(Upto(900'000));
  if (Chance(30)) run.set_cpu_weight(static_cast<std::uint32_t>(Upto(100)));
  if (Chance(30)) *run.mutable_metric_tags() = Tags();
}

LegacyInstance RandomApps::Instance(std::int64_t index, int presence, const std::string& domain) {
  static const std::array<const char*, 4> kStates = {"RUNNING", "CLAIMED", "UNCLAIMED", "CRASHED"};
  LegacyInstance lrp;
  lrp.index = index;
  lrp.presence = presence;
  lrp.domain = domain;
  lrp.state = kStates[static_cast<std::size_t>(Upto(presence == v1::ActualLRP::ORDINARY ? 4 : 2))];
  if (lrp.state == "RUNNING" || lrp.state == "CLAIMED") {
    lrp.instance_guid = "start-" + std::to_string(random_());
    lrp.cell_id = "cell-" + std::to_string(Upto(3));
  }
  lrp.placement_error = Text();
  lrp.since_ns = Nanos();
  if (lrp.state == "RUNNING") {
    lrp.net_info.set_address("10.0.0." + std::to_string(Upto(200)));
    lrp.net_info.set_instance_address("10.255.0.1");
    auto* port = lrp.net_info.add_ports();
    port->set_container_port(8080);
    port->set_host_port(static_cast<std::uint32_t>(61000 + Upto(100)));
    if (Chance(30)) port->set_host_tls_proxy_port(61443);
    if (Chance(30)) lrp.net_info.set_preferred_address(v1::ActualLRPNetInfo::HOST);
    if (Chance(30)) lrp.net_info.set_instance_ipv6_address("::1");
  }
  lrp.crash_count = Upto(4);
  lrp.crash_reason = Text();
  lrp.tag_epoch = Text();
  lrp.tag_index = Upto(1000);
  if (Chance(70)) lrp.routable = Chance(70);
  if (Chance(30)) lrp.internal_routes.emplace().add_actual_lrp_internal_routes()->set_hostname("x.internal");
  if (Chance(30)) lrp.metric_tags = Tags();
  if (Chance(50)) lrp.zone = "z" + std::to_string(Upto(3));
  return lrp;
}

LegacyApp RandomApps::Next(const std::string& guid) {
  LegacyApp app;
  app.guid = ProcessGuid(guid);
  app.domain = "domain-" + std::to_string(Upto(3));
  app.log_guid = Text();
  app.annotation = Text();
  app.instances = Upto(5);
  app.memory_mb = Upto(4096);
  app.disk_mb = Upto(4096);
  app.max_pids = Upto(200);
  app.root_fs = "preloaded:cflinuxfs" + std::to_string(Upto(2));
  if (Chance(70)) {
    (*app.routes.mutable_routes())["cf-router"] =
        R"([ {"port": 8080, "hostnames": ["A)" + std::to_string(Upto(9)) + R"(.example", "b.example"], "x" : null} ])";
  }
  if (Chance(30)) (*app.routes.mutable_routes())["tcp-router"] = Text();
  for (int i = Upto(3); i > 0; --i) app.placement_tags.push_back("tag,\"" + std::to_string(i));
  app.tag_epoch = Text();
  app.tag_index = Upto(1000);
  FillRunInfo(app);
  if (Chance(60)) app.metric_tags = Tags();
  app.update_strategy = Upto(2);
  for (int index = 0; index < static_cast<int>(app.instances) + Upto(2); ++index) {
    for (const int presence : {v1::ActualLRP::ORDINARY, v1::ActualLRP::EVACUATING, v1::ActualLRP::SUSPECT}) {
      if (Chance(presence == v1::ActualLRP::ORDINARY ? 85 : 15)) {
        app.actuals.push_back(Instance(index, presence, app.domain));
      }
    }
  }
  return app;
}

}  // namespace baton::testing
