// The stream of one roll: what it is now, and again after each change, with the steps since; ends when the roll is
// finished. Level-triggered: a change only wakes it, what it sends it reads; many changes may be one message.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include "baton/v2/rolls_service.pb.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

grpc::ServerWriteReactor<v2::WatchRollResponse>* NewWatchRoll(grpc::CallbackServerContext& context,
                                                              ServerDependencies& s,
                                                              const v2::WatchRollRequest& request);

}  // namespace baton
