#include "tools/baton/yaml/proto_text.h"

#include "tools/baton/yaml/yaml_text.h"

namespace baton::cli {

std::string ToJson(const google::protobuf::Message& message) {
  return JsonOf(message).dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string ToYaml(const nlohmann::ordered_json& json) {
  YAML::Emitter out;
  EmitYaml(json, out);
  return std::string(out.c_str()) + "\n";
}

std::string ToYaml(const google::protobuf::Message& message) { return ToYaml(JsonOf(message)); }

}  // namespace baton::cli
