// Messages as JSON and YAML (proto_json.h).
#pragma once

#include <google/protobuf/message.h>

#include <string>

#include "tools/baton/yaml/proto_json.h"

namespace baton::cli {

std::string ToJson(const google::protobuf::Message& message);
// The same content as block YAML.
std::string ToYaml(const google::protobuf::Message& message);
std::string ToYaml(const nlohmann::ordered_json& json);

}  // namespace baton::cli
