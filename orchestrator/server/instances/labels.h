// What a cell says of a start for others to read.
#pragma once

#include <string>

#include "baton/v1/actual_lrp.pb.h"
#include "orchestrator/base/result.h"
#include "orchestrator/model/actual_lrp.h"

namespace baton {

// INVALID_ARGUMENT where there are more than 100 of either, a host name of more than 255 bytes, or a tag of more than 1,024.
Result<Labels> LabelsFrom(const google::protobuf::RepeatedPtrField<v1::ActualLRPInternalRoute>& internal_routes,
                          const google::protobuf::Map<std::string, std::string>& metric_tags);

// Of any message that has both.
template <class Message>
Result<Labels> LabelsFrom(const Message& message) {
  return LabelsFrom(message.actual_lrp_internal_routes(), message.metric_tags());
}

}  // namespace baton
