// Messages as JSON and YAML, by protobuf's JSON mapping with the field names of the .proto files: 64-bit numbers are
// texts, bytes are base64, enumerations are names, fields that are not set are left out.
#pragma once

#include <google/protobuf/message.h>

#include <string>

namespace baton::cli {

std::string ToJson(const google::protobuf::Message& message);
// The same content as block YAML.
std::string ToYaml(const google::protobuf::Message& message);

}  // namespace baton::cli
