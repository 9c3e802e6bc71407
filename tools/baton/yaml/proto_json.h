// Messages as JSON values, by protobuf's JSON mapping with the field names of the .proto files: 64-bit numbers are
// texts, bytes are base64, enumerations are names. Two things are otherwise than protobuf does them:
//   * what is 0, false or empty is there, as long as the message has no way to say "not set"; deprecated fields are not
//   * routes are as in an app file (routes_text.h), not base64
#pragma once

#include <google/protobuf/message.h>

#include <nlohmann/json.hpp>

namespace baton::cli {

struct JsonStyle {
  bool empty_texts = true;  // false: left out, for people
  // For an app file: a secret that is hidden becomes null, which keeps it.
  bool hidden_as_null = false;
};

nlohmann::ordered_json JsonOf(const google::protobuf::Message& message, const JsonStyle& style = {});

}  // namespace baton::cli
