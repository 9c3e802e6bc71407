// The services of baton.v2 in this process, as baton.v1 calls them.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "baton/v2/actual_lrps_service.grpc.pb.h"
#include "baton/v2/admin_service.grpc.pb.h"
#include "baton/v2/cells_service.grpc.pb.h"
#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "baton/v2/domains_service.grpc.pb.h"
#include "baton/v2/events_service.grpc.pb.h"
#include "orchestrator/base/result.h"

namespace baton::transform {

class Backend {
 public:
  // The server's own: it listens already, and until then calls find nobody here.
  void Connect(std::shared_ptr<grpc::Channel> channel);
  // Before the server ends.
  void Disconnect();
  // Told of each write of apps and domains that v1 refuses by itself; v2 tells of its own. Before the first call.
  struct Refused {
    std::string method;  // "baton.v1.DesiredLRPs/UpdateDesiredLRP"
    std::string guid;    // of the app, or
    std::string domain;
  };
  using OnRefusal = std::function<void(const grpc::CallbackServerContext&, const Refused& asked, const Error& why)>;
  void OnRefused(OnRefusal told) { refused_ = std::move(told); }
  const OnRefusal& refused() const { return refused_; }
  // Names the caller of baton.v1 to baton.v2; empty without authentication. Set before the first call.
  using NameCaller = std::function<std::string(const grpc::CallbackServerContext&)>;
  void NameCallersBy(NameCaller name) { name_caller_ = std::move(name); }
  std::string CallerOf(const grpc::CallbackServerContext& context) const { return name_caller_ ? name_caller_(context) : ""; }
  // UNAVAILABLE where it is not connected.
  Status Ready() const;

  v2::DesiredLRPs::Stub& desired_lrps() { return *stubs_->desired_lrps; }
  v2::ActualLRPs::Stub& actual_lrps() { return *stubs_->actual_lrps; }
  v2::Cells::Stub& cells() { return *stubs_->cells; }
  v2::Domains::Stub& domains() { return *stubs_->domains; }
  v2::Events::Stub& events() { return *stubs_->events; }
  v2::Admin::Stub& admin() { return *stubs_->admin; }

 private:
  struct Stubs {
    std::unique_ptr<v2::DesiredLRPs::Stub> desired_lrps;
    std::unique_ptr<v2::ActualLRPs::Stub> actual_lrps;
    std::unique_ptr<v2::Cells::Stub> cells;
    std::unique_ptr<v2::Domains::Stub> domains;
    std::unique_ptr<v2::Events::Stub> events;
    std::unique_ptr<v2::Admin::Stub> admin;
  };
  std::unique_ptr<Stubs> stubs_;
  std::atomic<bool> connected_{false};
  OnRefusal refused_;
  NameCaller name_caller_;
};

}  // namespace baton::transform
