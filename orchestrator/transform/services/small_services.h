// The services of baton.v1 that are a call or two each: cells, domains, ping.
#pragma once

#include "baton/v1/bbs_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/transform/services/backend.h"

namespace baton::transform {

class CellsService final : public v1::Cells::CallbackService {
 public:
  explicit CellsService(Backend& backend) : backend_(backend) {}
  grpc::ServerUnaryReactor* ListCells(grpc::CallbackServerContext* context, const v1::CellsRequest* request,
                                      v1::CellsResponse* response) override;

 private:
  Backend& backend_;
};

class DomainsService final : public v1::Domains::CallbackService {
 public:
  explicit DomainsService(Backend& backend) : backend_(backend) {}
  grpc::ServerUnaryReactor* ListDomains(grpc::CallbackServerContext* context, const v1::DomainsRequest* request,
                                        v1::DomainsResponse* response) override;
  grpc::ServerUnaryReactor* UpsertDomain(grpc::CallbackServerContext* context, const v1::UpsertDomainRequest* request,
                                         v1::UpsertDomainResponse* response) override;

 private:
  Backend& backend_;
};

class PingService final : public v1::Ping::CallbackService {
 public:
  explicit PingService(Backend& backend) : backend_(backend) {}
  grpc::ServerUnaryReactor* Ping(grpc::CallbackServerContext* context, const v1::PingRequest* request,
                                 v1::PingResponse* response) override;

 private:
  Backend& backend_;
};

}  // namespace baton::transform
