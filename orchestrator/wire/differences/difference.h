// Compares two messages field by field for display: secrets are redacted.
#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <vector>

namespace baton::wire {

struct Difference {
  std::string field;   // "definition.run_info.action.run_action.args[1]"; of a map: "metric_tags.team"
  std::string before;  // as text; a number of 0 is "0"; empty: not there
  std::string after;
};

// Both of one type. A secret that differs is named, with both values redacted.
std::vector<Difference> Differences(const google::protobuf::Message& before, const google::protobuf::Message& after);

}  // namespace baton::wire
