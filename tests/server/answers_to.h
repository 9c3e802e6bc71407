// All that a caller can read of an app.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>

namespace baton {

// In both APIs, events too, as text; what it may not call says so.
std::string AnswersTo(const std::shared_ptr<grpc::Channel>& channel, const std::string& guid);

}  // namespace baton
