// Requests that each break one limit of a field, made from the descriptors: a limit that is added is broken without a word
// being written here.
#pragma once

#include <google/protobuf/message.h>

#include <memory>
#include <string>
#include <vector>

namespace baton {

struct BrokenLimit {
  std::string field;  // "baton.v1.TCPCheck.port"
  std::string limit;  // "max"
  std::unique_ptr<google::protobuf::Message> request;
};

// Nothing is wrong with it; all that is required is there.
std::unique_ptr<google::protobuf::Message> ValidRequest(const google::protobuf::Descriptor& type);

// One for each way to break each limit that a request of this type can meet.
std::vector<BrokenLimit> BreakAll(const google::protobuf::Descriptor& type);

}  // namespace baton
