// The content hash, which is equal for equal definitions. batond writes it into rows and orders; a cell computes it
// again.
#pragma once

#include <google/protobuf/message_lite.h>

#include <string>

#include "baton/v2/definition.pb.h"

namespace baton::wire {

// The hash of what ToMessage gives: equal to the stored one unless something was changed since.
std::string ContentHash(const v2::LRPDefinition& message);

// Bytes that are the same for equal messages (maps sorted).
std::string CanonicalBytes(const google::protobuf::MessageLite& message);

}  // namespace baton::wire
