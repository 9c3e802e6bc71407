// Limits on whole messages that no field can say: accepted implies readable (invariants D6).
#pragma once

#include <google/protobuf/message.h>

#include <string_view>

#include "orchestrator/base/result.h"

namespace baton::wire {

inline constexpr int kActionDepthMax = 16;
inline constexpr int kActionNodesMax = 1000;
inline constexpr std::size_t kRunInfoBytesMax = 1 << 20;

// Every text of the message, in all depths, is UTF-8 without NUL; protobuf itself would write other bytes and then be
// unable to read them (M8). INVALID_ARGUMENT naming the field.
Status CheckTexts(const google::protobuf::Message& message, std::string_view where);

}  // namespace baton::wire
