#include "tests/bench/legacy_apps.h"

#include <algorithm>
#include <cstdio>

#include "orchestrator/base/check.h"
#include "schema/layouts.h"
#include "schema/legacy/rows.h"

namespace baton::bench {
namespace {

constexpr int kAtOnce = 500;

// A kilobyte of run info, as an app of Cloud Foundry has.
LegacyApp LegacyAppOf(int number) {
  LegacyApp app;
  const std::string name = LegacyGuid(number);
  app.guid = ProcessGuid(name);
  app.domain = "cf-apps";
  app.log_guid = name;
  app.instances = kLegacyInstances;
  app.root_fs = "preloaded:cflinuxfs4";
  app.tag_epoch = name;
  app.run_info.add_ports(8080);
  auto& run = *app.run_info.mutable_action()->mutable_run_action();
  run.set_path("/tmp/lifecycle/launcher");
  run.set_user("vcap");
  for (int i = 0; i < 10; ++i) {
    auto& variable = *run.add_env();
    variable.set_name("NAME_" + std::to_string(i));
    variable.set_value(std::string(80, 'x'));
  }
  (*app.routes.mutable_routes())["cf-router"] =
      R"([{"hostnames":[")" + name + R"(.example.com"],"port":8080}])";
  app.metric_tags.emplace()["source_id"].set_static_(name);
  for (int i = 0; i < kLegacyInstances; ++i) {
    LegacyInstance& lrp = app.actuals.emplace_back();
    lrp.index = i;
    lrp.domain = "cf-apps";
    lrp.state = "RUNNING";
    lrp.instance_guid = name + "-" + std::to_string(i);
    lrp.cell_id = "cell-" + std::to_string((number + i) % kLegacyCells);
    lrp.tag_epoch = lrp.instance_guid;
    lrp.net_info.set_address("10.0.0.1");
    lrp.net_info.add_ports()->set_container_port(8080);
  }
  return app;
}

}  // namespace

std::string LegacyGuid(int number) {
  char name[32];
  std::snprintf(name, sizeof name, "app-%06d", number);
  return name;
}

void Within(Session& session, const std::function<void(Session&)>& body) {
  const SessionError error = session.Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    body(s);
    return true;
  });
  if (!error.ok()) std::fprintf(stderr, "%s\n", error.detail.c_str());
  CHECK(error.ok());
}

void MakeLegacyApps(Session& session, int count) {
  Within(session, MakeLegacyLayout);
  for (int from = 0; from < count; from += kAtOnce) {
    std::vector<LegacyApp> apps;
    for (int i = from; i < std::min(from + kAtOnce, count); ++i) apps.push_back(LegacyAppOf(i));
    Within(session, [&](Session& s) { InsertLegacyApps(s, apps); });
  }
  CHECK(session.RunAlone("VACUUM ANALYZE").ok());
}

}  // namespace baton::bench
