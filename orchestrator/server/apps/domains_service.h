// The service Domains: which controllers have synced.
#pragma once

#include "baton/v2/domains_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

class DomainsService final : public v2::Domains::CallbackService {
 public:
  explicit DomainsService(ServerDependencies& dependencies) : s_(dependencies) {}

  grpc::ServerUnaryReactor* UpsertDomain(grpc::CallbackServerContext* context, const v2::UpsertDomainRequest* request,
                                         v2::UpsertDomainResponse* response) override;
  grpc::ServerUnaryReactor* ListDomains(grpc::CallbackServerContext* context, const v2::ListDomainsRequest* request,
                                        v2::ListDomainsResponse* response) override;
  grpc::ServerUnaryReactor* SetDomainEgress(grpc::CallbackServerContext* context,
                                            const v2::SetDomainEgressRequest* request,
                                            v2::SetDomainEgressResponse* response) override;

 private:
  ServerDependencies& s_;
};

}  // namespace baton
