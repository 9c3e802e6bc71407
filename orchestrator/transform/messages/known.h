// Refuses unknown fields in an old message instead of dropping them: its sender speaks another version.
#pragma once

#include <google/protobuf/message.h>

#include <string>

#include "orchestrator/base/result.h"

namespace baton::transform {

// INVALID_ARGUMENT naming the first message that has such a field, and the call of baton.v2 that may take it. `method`:
// "SERVICE.METHOD" of baton.v1.
Status CheckKnown(const google::protobuf::Message& request, const std::string& method);

// "baton.v2.SERVICE.METHOD", by the method's option `versioning`.
std::string ReplacementOf(const std::string& method);

}  // namespace baton::transform
