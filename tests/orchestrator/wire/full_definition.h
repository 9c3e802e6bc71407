// A definition in which everything is set: that of examples/apps/full.yaml.
#pragma once

#include <functional>

#include "baton/v2/desired_lrp.pb.h"

namespace baton {

v2::DesiredLRP FullApp();

// Calls `visit(holder, field)` for every set field that is no message, in all depths; once for each element's message,
// once for a repeated scalar.
using FieldVisitor = std::function<void(google::protobuf::Message&, const google::protobuf::FieldDescriptor&)>;
void ForEachValue(google::protobuf::Message& message, const FieldVisitor& visit);

}  // namespace baton
