// What one caller of baton.v2 calls.
#pragma once

#include <grpcpp/channel.h>

#include <memory>

#include "baton/v2/actual_lrps_service.grpc.pb.h"
#include "baton/v2/admin_service.grpc.pb.h"
#include "baton/v2/cells_service.grpc.pb.h"
#include "baton/v2/definitions_service.grpc.pb.h"
#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "baton/v2/domains_service.grpc.pb.h"
#include "baton/v2/events_service.grpc.pb.h"
#include "baton/v2/rolls_service.grpc.pb.h"
#include "baton/v2/routes_service.grpc.pb.h"

namespace baton {

struct Stubs {
  Stubs() = default;
  explicit Stubs(const std::shared_ptr<grpc::Channel>& channel)
      : apps(v2::DesiredLRPs::NewStub(channel)), rolls(v2::Rolls::NewStub(channel)),
        definitions(v2::Definitions::NewStub(channel)), lrps(v2::ActualLRPs::NewStub(channel)),
        cells(v2::Cells::NewStub(channel)), routes(v2::Routes::NewStub(channel)), admin(v2::Admin::NewStub(channel)),
        domains(v2::Domains::NewStub(channel)), events(v2::Events::NewStub(channel)) {}

  std::unique_ptr<v2::DesiredLRPs::Stub> apps;
  std::unique_ptr<v2::Rolls::Stub> rolls;
  std::unique_ptr<v2::Definitions::Stub> definitions;
  std::unique_ptr<v2::ActualLRPs::Stub> lrps;
  std::unique_ptr<v2::Cells::Stub> cells;
  std::unique_ptr<v2::Routes::Stub> routes;
  std::unique_ptr<v2::Admin::Stub> admin;
  std::unique_ptr<v2::Domains::Stub> domains;
  std::unique_ptr<v2::Events::Stub> events;
};

}  // namespace baton
