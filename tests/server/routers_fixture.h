// An app behind routers that are scripted, over a whole service. Every limit that would end a wait all the same lies
// far beyond a test's patience.
#pragma once

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/server/convergence_fixture.h"
#include "tests/server/scripted_router.h"

namespace baton {

class Routers : public ConvergencePass {
 protected:
  explicit Routers(batond::ServiceOptions options = PatientWithRouters()) : ConvergencePass(std::move(options)) {}
  static batond::ServiceOptions PatientWithRouters() {
    batond::ServiceOptions options;
    options.route_lease = std::chrono::hours(1);
    options.cell_lease = std::chrono::hours(1);
    return options;
  }
  void SetUp() override {
    ConvergencePass::SetUp();
    cell.emplace(service, "cell-1");
    cell->Hello();
  }

  // An app with a route and an instance of v1 that no router has to drain before its time.
  void DesireApp(int drain_timeout_ms = 600'000, int instances = 1) {
    auto app = RunningService::SmallApp("app", instances);
    auto& strategy = *app.mutable_desired_lrp()->mutable_strategy();
    strategy.set_min_healthy_time_ms(0);
    strategy.set_drain_timeout_ms(drain_timeout_ms);
    strategy.set_stop_timeout_ms(600'000);
    strategy.set_progress_deadline_ms(3'600'000);
    (*app.mutable_desired_lrp()->mutable_routes()->mutable_routes())["cf-router"] =
        R"([{"hostnames":["app.example"],"port":8080}])";
    ASSERT_TRUE(service.Desire(app).ok());
  }
  // The cell's next instance runs, and all of these have applied its endpoint; gives its id.
  std::string Serve(const std::vector<ScriptedRouter*>& routers) {
    const std::string id = Start(*cell);
    for (ScriptedRouter* router : routers) {
      EXPECT_TRUE(router->WasToldToServe(id));
      router->Apply();
    }
    return id;
  }
  bool RollIsOver() { return !Exists(service.url(), "rolls"); }
  bool HasApplied(const std::string& router, const std::string& id) {
    return Eventually([&] {
      return Exists(service.url(),
                    "actual_lrps WHERE actual_id = '" + id + "' AND '" + router + "' = ANY (applied_by)");
    });
  }
  bool IsNewcomer(const std::string& id) {
    for (const auto& lrp : service.Instances("app")) {
      if (lrp.actual_id() == id) return lrp.presence() == v2::SURGE;
    }
    return false;
  }
  bool IsHandedOver(const std::string& id) {
    return Eventually([&] {
      for (const auto& lrp : service.Instances("app")) {
        if (lrp.actual_id() == id) return lrp.presence() == v2::ORDINARY;
      }
      return false;
    });
  }

  // As it is listed; empty where it is not.
  v2::RouteConsumer Listed(const std::string& router) {
    v2::ListRouteConsumersResponse response;
    EXPECT_TRUE(service.routes->ListRouteConsumers(Context().get(), {}, &response).ok());
    for (const v2::RouteConsumer& one : response.consumers()) {
      if (one.consumer_id() == router) return one;
    }
    return {};
  }
  grpc::Status Remove(const std::string& router) {
    v2::RemoveRouteConsumerRequest request;
    request.set_consumer_id(router);
    v2::RemoveRouteConsumerResponse response;
    return service.routes->RemoveRouteConsumer(Context().get(), request, &response);
  }

  std::optional<ScriptedCell> cell;
};

}  // namespace baton
