// The API over gRPC, v2 and v1: all services, health checking and reflection, on one port.
#pragma once

#include <grpcpp/security/server_credentials.h>

#include <memory>
#include <string>

#include "orchestrator/access/access_rules.h"
#include "orchestrator/access/deny_list.h"
#include "orchestrator/base/result.h"
#include "orchestrator/bounds/server_bounds.h"
#include "orchestrator/server/callers/caller_limits.h"
#include "orchestrator/server/callers/identity_limits.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

class Server {
 public:
  struct Options {
    std::string listen;  // "127.0.0.1:8891"; port 0: any free one
    std::size_t message_bytes_max = 4 << 20;  // of a request; more is RESOURCE_EXHAUSTED
    Duration write_max = seconds(30);         // that a message of a stream waits for its reader (WriteLimit)
    bounds::ServerBounds bounds = {};
    bool reflection = false;
    // TLS that asks for certificates; null: insecure, and everybody is admin.
    std::shared_ptr<grpc::ServerCredentials> credentials = nullptr;
    std::string trust_domain = {};  // of the certificates: "baton.example"
    // With credentials: what callers may touch, and who is refused.
    AccessRules access = AccessRules::Unlimited();
    DenyList denied = {};
    IdentityLimits::Most identity = {};
    CallerLimits callers = {};
  };
  // FAILED_PRECONDITION where it may not or cannot listen there.
  static Result<std::unique_ptr<Server>> Start(ServerDependencies& dependencies, const Options& options);
  ~Server();

  // With the port that it got.
  const std::string& address() const { return address_; }
  // Taken from here on; without credentials nothing is.
  void Use(AccessRules access);
  void Use(DenyList denied);
  // From time to time: streams end whose certificate has expired or is refused by now; and a moment later their connections.
  void LookAtStreams();
  void CutConnections();
  // What health checks are told: SERVING while this process leads.
  void SetServing(bool serving);
  // Takes no more calls, lets those under way end within `timeout`, then cuts them off.
  void Shutdown(Duration timeout);

 private:
  struct Parts;
  Server(std::unique_ptr<Parts> parts, std::string address);

  std::unique_ptr<Parts> parts_;
  std::string address_;
};

Status CheckHostAndPort(const std::string& flag, const std::string& address);
// Where others can reach is for TLS alone.
Status CheckLoopback(const std::string& flag, const std::string& address);

}  // namespace baton
