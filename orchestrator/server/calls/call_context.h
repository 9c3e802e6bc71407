// One call of the API: who asks, under which id, and how it ends.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <string>

#include "orchestrator/base/result.h"
#include "orchestrator/base/time.h"
#include "orchestrator/model/calls/trace_parent.h"

namespace baton {

grpc::Status ToGrpc(const Error& error);

// Whether it is a call of baton.v1 that is asked of baton.v2 (orchestrator/transform).
bool AskedInV1(const grpc::ServerContextBase& context);
inline constexpr std::size_t kActorBytesMax = 200;  // of what a caller says it is
// What the caller says that it is; "unknown" where it says nothing.
std::string SaidActor(const grpc::CallbackServerContext& context);
// The caller's, or a new one.
std::string RequestIdOf(const grpc::CallbackServerContext& context);
// Of none where it says none, one that is no traceparent, or two.
TraceParent TraceOf(const grpc::CallbackServerContext& context);
// Until its deadline; Duration::max() where the caller waits for as long as it takes.
Duration TimeLeft(const grpc::ServerContextBase& context);

// The call as it was asked: "baton.v2." and `method`, "SERVICE/METHOD"; or that of baton.v1 whose way through this
// process it is.
std::string AskedAs(const grpc::CallbackServerContext& context, const char* method);

// What helps the caller on: when to ask again, and whom. Before the call is finished.
void AddHints(grpc::CallbackServerContext& context, const Error& error);

// Ends a unary call, with its error's hints.
void Finish(grpc::CallbackServerContext& context, grpc::ServerUnaryReactor& reactor, const Status& status);

}  // namespace baton
