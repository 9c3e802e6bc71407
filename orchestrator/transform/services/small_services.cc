// The services of baton.v1 that are a call or two each: cells, domains, ping.
#include "orchestrator/transform/services/services.h"

#include "baton/v1/bbs_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/transform/messages/cell.h"
#include "orchestrator/transform/services/backend.h"
#include "orchestrator/transform/services/pass.h"

namespace baton::transform {
namespace {

class CellsService final : public v1::Cells::CallbackService {
 public:
  explicit CellsService(Backend& backend) : backend_(backend) {}

  grpc::ServerUnaryReactor* ListCells(grpc::CallbackServerContext* context, const v1::CellsRequest* request,
                                      v1::CellsResponse* response) override {
    return Pass<v2::ListCellsRequest, v2::ListCellsResponse>(
        backend_, *context, *request, *response, "Cells.ListCells",
        [this](auto... all) { backend_.cells().async()->ListCells(all...); },
        [](const v2::ListCellsResponse& got, v1::CellsResponse& made) { made = ToV1(got); });
  }

 private:
  Backend& backend_;
};

class DomainsService final : public v1::Domains::CallbackService {
 public:
  explicit DomainsService(Backend& backend) : backend_(backend) {}

  grpc::ServerUnaryReactor* ListDomains(grpc::CallbackServerContext* context, const v1::DomainsRequest* request,
                                        v1::DomainsResponse* response) override {
    return Pass<v2::ListDomainsRequest, v2::ListDomainsResponse>(
        backend_, *context, *request, *response, "Domains.ListDomains",
        [this](auto... all) { backend_.domains().async()->ListDomains(all...); },
        [](const v2::ListDomainsResponse& got, v1::DomainsResponse& made) { made = ToV1(got); });
  }

  grpc::ServerUnaryReactor* UpsertDomain(grpc::CallbackServerContext* context, const v1::UpsertDomainRequest* request,
                                         v1::UpsertDomainResponse* response) override {
    return Pass<v2::UpsertDomainRequest, v2::UpsertDomainResponse>(
        backend_, *context, *request, *response, "Domains.UpsertDomain",
        [this](auto... all) { backend_.domains().async()->UpsertDomain(all...); }, [](const auto&, auto&) {});
  }

 private:
  Backend& backend_;
};

class PingService final : public v1::Ping::CallbackService {
 public:
  explicit PingService(Backend& backend) : backend_(backend) {}

  grpc::ServerUnaryReactor* Ping(grpc::CallbackServerContext* context, const v1::PingRequest* request,
                                 v1::PingResponse* response) override {
    return Pass<v2::PingRequest, v2::PingResponse>(
        backend_, *context, *request, *response, "Ping.Ping",
        [this](auto... all) { backend_.admin().async()->Ping(all...); },
        [](const v2::PingResponse& got, v1::PingResponse& made) { made.set_available(got.available()); });
  }

 private:
  Backend& backend_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeCellsService(Backend& backend) { return std::make_unique<CellsService>(backend); }

std::unique_ptr<grpc::Service> MakeDomainsService(Backend& backend) {
  return std::make_unique<DomainsService>(backend);
}

std::unique_ptr<grpc::Service> MakePingService(Backend& backend) { return std::make_unique<PingService>(backend); }

}  // namespace baton::transform
