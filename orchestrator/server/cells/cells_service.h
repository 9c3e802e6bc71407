// The service Cells: machines that run instances.
#pragma once

#include <string>
#include <utility>

#include "baton/v2/cells_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

class CellsService final : public v2::Cells::CallbackService {
 public:
  // `trust_domain`: of the certificates of callers; empty: they have none.
  explicit CellsService(ServerDependencies& dependencies, std::string trust_domain = {})
      : s_(dependencies), trust_domain_(std::move(trust_domain)) {}

  grpc::ServerBidiReactor<v2::CellMessage, v2::LeaderToCell>* Connect(grpc::CallbackServerContext* context) override;
  grpc::ServerUnaryReactor* ListCells(grpc::CallbackServerContext* context, const v2::ListCellsRequest* request,
                                      v2::ListCellsResponse* response) override;
  grpc::ServerUnaryReactor* DrainCell(grpc::CallbackServerContext* context, const v2::ChangeCellRequest* request,
                                      v2::ChangeCellResponse* response) override;
  grpc::ServerUnaryReactor* UndrainCell(grpc::CallbackServerContext* context, const v2::ChangeCellRequest* request,
                                        v2::ChangeCellResponse* response) override;

 private:
  grpc::ServerUnaryReactor* SetDraining(grpc::CallbackServerContext* context, const v2::ChangeCellRequest* request,
                                        v2::ChangeCellResponse* response, bool draining);

  ServerDependencies& s_;
  const std::string trust_domain_;
};

}  // namespace baton
