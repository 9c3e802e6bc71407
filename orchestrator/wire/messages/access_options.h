// The option (baton.v2.access) of methods, as the values that decide.
#pragma once

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "orchestrator/access/policy.h"
#include "orchestrator/base/result.h"

namespace baton::wire {

// Of one method. FAILED_PRECONDITION if it has no such option, or one that admits no role or names no effect.
Result<MethodAccess> AccessOf(const google::protobuf::MethodDescriptor& method);

// "/baton.v2.Admin/Ping".
std::string PathOf(const google::protobuf::MethodDescriptor& method);

// Of all methods of these services, by their full names. FAILED_PRECONDITION where the program has no such service, or the above.
Result<Policy::Methods> AccessOfAll(const std::vector<std::string>& services);

}  // namespace baton::wire
