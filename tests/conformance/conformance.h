// What the suite for both stores does with one of them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/app/apps/update.h"
#include "orchestrator/app/leader/drive.h"
#include "tests/conformance/harness.h"

namespace baton {

inline const ProcessGuid kApp("app");

inline DefinitionInput Version(const std::string& name) {
  DefinitionInput input;
  input.definition.id = DefinitionId(name);
  input.definition.content_hash = std::string(63, 'a') + name.back();
  input.definition.root_fs = "host:";
  input.definition.ports = {8080, 9090};
  input.definition.placement_tags = {"a,b", "with \"quotes\""};
  input.definition.needs = {"run"};
  input.definition.resources = {64, 128, 10, 1};
  input.definition.start_timeout = seconds(7);
  for (int byte = 0; byte < 256; ++byte) input.run_info += static_cast<char>(byte);
  return input;
}

inline DesireRequest App(int instances) {
  DesireRequest request;
  request.desired.domain = "test";
  request.desired.instances = instances;
  request.desired.annotation = "\x01 \"quotes\" \\x00 {a,b} \xc3\xa4 NULL'";
  request.desired.routes.payloads["cf-router"] = R"([{"hostnames":["a.example"],"port":8080}])";
  request.desired.routes.mapped = {{RouteNamed("a.example"), 8080}};
  request.desired.image_username = "user";
  request.desired.image_password = "secret";
  request.desired.strategy.min_healthy_time = Duration(0);
  request.definition = Version("v1");
  return request;
}

class Conformance : public ::testing::TestWithParam<HarnessKind> {
 protected:
  Conformance() : harness_(GetParam().make()) {}

  Status Desire(int instances) {
    return harness_->Do(kApp, [=](AppEdit& edit) { return DecideDesire(edit, App(instances)); });
  }
  Status UpdateTo(const std::string& name) {
    UpdateRequest update;
    update.definition = Version(name);
    return harness_->Do(kApp, [=](AppEdit& edit) { return DecideUpdate(edit, update); });
  }
  Status Plan() {
    return harness_->Do(kApp, [](AppEdit& edit) {
      (void)RunPlanner(edit);
      return Status(Done{});
    });
  }
  const ActualLrp* Find(const AppState& app, Presence presence) {
    for (const auto& [id, lrp] : app.actuals) {
      if (lrp.presence == presence) return &lrp;
    }
    return nullptr;
  }
  // Claims, starts and makes routable whatever is UNCLAIMED.
  void StartAll() {
    const AppState app = harness_->Read(kApp);
    for (const auto& [id, lrp] : app.actuals) {
      if (lrp.state != LrpState::kUnclaimed) continue;
      const InstanceRef ref{id, InstanceGuid("start-of-" + id.str()), CellId("cell-1")};
      StartReport start{ref, {"10.0.0.1", "10.0.0.2", {{8080, 61000}, {9090, 61001}}}, true, "z1"};
      TestCall claim{{.name = "claim", .guid = kApp, .instance = id}};
      claim.decide = [=](AppEdit& edit) { return DecideClaim(edit, ref); };
      ASSERT_TRUE(harness_->Do(std::move(claim)).ok());
      TestCall report{{.name = "start", .guid = kApp, .instance = id, .with_definition = true}};
      report.decide = [=](AppEdit& edit) { return DecideStart(edit, start); };
      ASSERT_TRUE(harness_->Do(std::move(report)).ok());
    }
  }

  std::unique_ptr<StoreHarness> harness_;
};

}  // namespace baton
