// Apps app-61001 and app-61002, each with one instance at the port that it is named after, and a host name.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/server/running_service.h"
#include "tests/server/scripted_cell.h"

namespace baton {

inline void RouteTwoApps(RunningService& service, ScriptedCell& cell) {
  for (const std::uint32_t port : {61001U, 61002U}) {
    auto app = RunningService::SmallApp("app-" + std::to_string(port));
    (*app.mutable_desired_lrp()->mutable_routes()->mutable_routes())["cf-router"] =
        R"([{"hostnames":["a)" + std::to_string(port) + R"(.example"],"port":8080}])";
    ASSERT_TRUE(service.Desire(app).ok());
    const v2::RunOrder order = cell.NextRun();
    cell.Report(ScriptedCell::Claimed(order.actual_id()));
    v2::CellReport started = ScriptedCell::Started(order.actual_id());
    started.mutable_started()->mutable_net_info()->mutable_ports(0)->set_host_port(port);
    cell.Report(started);
  }
}

// Of what serves a host name; 0: nothing does.
inline std::uint32_t PortServing(Stubs& service, const std::string& hostname) {
  v2::ListEndpointsRequest request;
  request.set_hostname(hostname);
  const auto context = Context();
  const auto stream = service.routes->ListEndpoints(context.get(), request);
  std::uint32_t port = 0;
  for (v2::ListEndpointsResponse page; stream->Read(&page);) {
    for (const auto& endpoint : page.endpoints()) port = endpoint.port();
  }
  EXPECT_TRUE(stream->Finish().ok());
  return port;
}

}  // namespace baton
