// ActualLRPs.ReadOutput: an instance's output, asked of its cell.
#pragma once

#include "baton/v2/actual_lrps_service.pb.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

grpc::ServerUnaryReactor* ReadOutput(ServerDependencies& s, grpc::CallbackServerContext* context,
                                     const v2::ReadOutputRequest* request, v2::ReadOutputResponse* response);

}  // namespace baton
