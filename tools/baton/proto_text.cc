#include "tools/baton/proto_text.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/type_resolver_util.h>
#include <yaml-cpp/yaml.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/model/check.h"

namespace baton::cli {
namespace {

constexpr char kTypes[] = "type.googleapis.com";

// Of what a YAML reader would not take for a text if it stood there without quotes.
bool NeedsQuotes(const std::string& text) {
  const auto plain = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!plain.is_discarded()) return true;
  const YAML::Node node(text);
  bool truth = false;
  double number = 0;
  return text == "~" || YAML::convert<bool>::decode(node, truth) || YAML::convert<double>::decode(node, number);
}

void Emit(const nlohmann::ordered_json& json, YAML::Emitter& out) {
  if (json.is_object()) {
    out << YAML::BeginMap;
    for (const auto& [key, value] : json.items()) {
      out << YAML::Key << key << YAML::Value;
      Emit(value, out);
    }
    out << YAML::EndMap;
  } else if (json.is_array()) {
    out << YAML::BeginSeq;
    for (const auto& value : json) Emit(value, out);
    out << YAML::EndSeq;
  } else if (json.is_string()) {
    const auto text = json.get<std::string>();
    if (NeedsQuotes(text)) out << YAML::DoubleQuoted;
    out << text;
  } else {
    out << json.dump();
  }
}

}  // namespace

// By way of the bytes, where maps can be told to keep their order: the same message gives the same text.
std::string ToJson(const google::protobuf::Message& message) {
  namespace pb = google::protobuf;
  std::string bytes;
  {
    pb::io::StringOutputStream stream(&bytes);
    pb::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializeToCodedStream(&coded);
  }
  pb::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  options.add_whitespace = true;
  const std::unique_ptr<pb::util::TypeResolver> types(
      pb::util::NewTypeResolverForDescriptorPool(kTypes, message.GetDescriptor()->file()->pool()));
  std::string json;
  const std::string type = std::string(kTypes) + "/" + message.GetDescriptor()->full_name();
  CHECK(pb::util::BinaryToJsonString(types.get(), type, bytes, &json, options).ok());
  return json;
}

std::string ToYaml(const google::protobuf::Message& message) {
  YAML::Emitter out;
  Emit(nlohmann::ordered_json::parse(ToJson(message)), out);
  return std::string(out.c_str()) + "\n";
}

}  // namespace baton::cli
