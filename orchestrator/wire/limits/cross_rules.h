// Rules between fields of one message, which no limit of one field can say. One table: every request that holds such a
// message, in any depth, is held to them (CheckLimits).
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <string>
#include <vector>

namespace baton::wire {

struct CrossRule {
  const google::protobuf::Descriptor* of;
  const char* name;  // "port_range.reversed"
  const char* says;  // for the documentation, one sentence
  // What is wrong, to stand behind the message's name: ".start is 9, and .end is 3"; empty: nothing is.
  std::string (*broken)(const google::protobuf::Message& message);
};

const std::vector<CrossRule>& CrossRules();

}  // namespace baton::wire
