// Answers as the page understands them: JSON, and the Connect protocol's errors.
#pragma once

#include <grpcpp/support/status.h>

#include <string>

#include "tools/client/hints.h"
#include "tools/http/message.h"

namespace baton::web {

http::Response Json(std::string text);
// `code` as the Connect protocol has it, "not_found"; the HTTP status goes with it.
http::Response Problem(const std::string& code, const std::string& message);
// Of a call that batond refused.
http::Response Problem(const grpc::Status& status, const Hints& hints);
// The JSON object of the same: {"code": ..., "message": ...}.
std::string ProblemText(const grpc::Status& status, const Hints& hints);

// "failed_precondition".
std::string CodeWord(grpc::StatusCode code);

}  // namespace baton::web
