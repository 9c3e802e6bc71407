#include "orchestrator/transform/services/small_services.h"

#include "orchestrator/transform/messages/cell.h"
#include "orchestrator/transform/services/pass.h"

namespace baton::transform {

grpc::ServerUnaryReactor* CellsService::ListCells(grpc::CallbackServerContext* context, const v1::CellsRequest* request,
                                                  v1::CellsResponse* response) {
  return Pass<v2::ListCellsRequest, v2::ListCellsResponse>(
      backend_, *context, *request, *response, "Cells.ListCells",
      [this](auto... all) { backend_.cells().async()->ListCells(all...); },
      [](const v2::ListCellsResponse& got, v1::CellsResponse& made) { made = ToV1(got); });
}

grpc::ServerUnaryReactor* DomainsService::ListDomains(grpc::CallbackServerContext* context,
                                                      const v1::DomainsRequest* request,
                                                      v1::DomainsResponse* response) {
  return Pass<v2::ListDomainsRequest, v2::ListDomainsResponse>(
      backend_, *context, *request, *response, "Domains.ListDomains",
      [this](auto... all) { backend_.domains().async()->ListDomains(all...); },
      [](const v2::ListDomainsResponse& got, v1::DomainsResponse& made) { made = ToV1(got); });
}

grpc::ServerUnaryReactor* DomainsService::UpsertDomain(grpc::CallbackServerContext* context,
                                                       const v1::UpsertDomainRequest* request,
                                                       v1::UpsertDomainResponse* response) {
  return Pass<v2::UpsertDomainRequest, v2::UpsertDomainResponse>(
      backend_, *context, *request, *response, "Domains.UpsertDomain",
      [this](auto... all) { backend_.domains().async()->UpsertDomain(all...); }, [](const auto&, auto&) {});
}

grpc::ServerUnaryReactor* PingService::Ping(grpc::CallbackServerContext* context, const v1::PingRequest* request,
                                            v1::PingResponse* response) {
  return Pass<v2::PingRequest, v2::PingResponse>(
      backend_, *context, *request, *response, "Ping.Ping",
      [this](auto... all) { backend_.admin().async()->Ping(all...); },
      [](const v2::PingResponse& got, v1::PingResponse& made) { made.set_available(got.available()); });
}

}  // namespace baton::transform
