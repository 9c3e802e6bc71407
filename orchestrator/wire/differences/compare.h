// Two messages, field by field, to a reporter. Entries of maps are paired by their keys: protobuf's differencer compares
// each entry with each, and maps that were stored before they had limits may have any size.
#pragma once

#include <google/protobuf/util/message_differencer.h>

#include <cstddef>

namespace baton::wire {

// Both of one type. Tells `reporter` what was added, deleted and modified, in the order of the fields and, in a map, of
// its keys. Gives how many fields and keys were looked at: n log n of what the messages hold, and a test counts it.
std::size_t Compare(const google::protobuf::Message& before, const google::protobuf::Message& after,
                    google::protobuf::util::MessageDifferencer::Reporter& reporter);

}  // namespace baton::wire
