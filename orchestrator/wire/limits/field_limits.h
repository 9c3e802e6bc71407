// What the .proto files say that fields take (baton.v1.limits), held over a whole request by reflection, and the rules
// between fields with it. The door of the API alone: what is stored is never read through it (docs/decisions/0029).
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <string>
#include <vector>

#include "baton/v1/limits.pb.h"
#include "orchestrator/base/result.h"

namespace baton::wire {

// Of a request, in all depths: every text is UTF-8 without NUL, every field and every value of an enumeration is known,
// and limits and cross rules (cross_rules.h) hold. INVALID_ARGUMENT naming the field as the caller knows it, its value
// unless it is a secret, and the limit.
Status CheckLimits(const google::protobuf::Message& request);

// What a field takes; all zero: anything.
const v1::Limits& LimitsOf(const google::protobuf::FieldDescriptor& field);

// What unary calls and lists of baton.v2 are asked with, each once.
std::vector<const google::protobuf::Descriptor*> RequestTypes();

// The limits of a field for people, one part each: "required", "0 to 100,000".
std::vector<std::string> LimitWords(const google::protobuf::FieldDescriptor& field);

}  // namespace baton::wire
