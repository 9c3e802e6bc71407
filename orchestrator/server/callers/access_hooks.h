// Where gRPC asks the gate: of each call from outside, and of each that baton.v1 makes in this process.
#pragma once

#include <memory>

#include "orchestrator/server/callers/access_gate.h"

namespace baton {

// What credentials ask of each call.
std::shared_ptr<grpc::AuthMetadataProcessor> ProcessorOf(std::shared_ptr<AccessGate> gate);

// What a channel within the process asks of each call.
std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface> EntranceOf(std::shared_ptr<AccessGate> gate);

}  // namespace baton
