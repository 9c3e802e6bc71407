// The service is upgraded first, its clients after it: a client that is newer than this batond is refused, before it asks for
// what this batond cannot know.
#pragma once

#include <grpcpp/server_context.h>

#include <string>
#include <string_view>

#include "orchestrator/base/result.h"

namespace baton {

// FAILED_PRECONDITION where `version`, of a client that calls itself `name` (may be empty), has a greater major or minor than
// `own`; INVALID_ARGUMENT where it is no version. Who says none is taken for none of Baton's clients.
Status CheckClientVersion(std::string_view version, std::string_view name, std::string_view own);

// The same of a call, whose trailers tell a refusal from one of what is asked.
Status CheckClient(grpc::CallbackServerContext& context, std::string_view own);

}  // namespace baton
