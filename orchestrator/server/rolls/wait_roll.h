// The call that answers when a roll has come so far. It names a roll, never an app, so that it cannot tell of another
// one than was meant.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include "baton/v2/rolls_service.pb.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

grpc::ServerUnaryReactor* NewWaitRoll(grpc::CallbackServerContext& context, ServerDependencies& s,
                                      const v2::WaitRollRequest& request, v2::WaitRollResponse& response);

}  // namespace baton
