#include "tools/baton/yaml/yaml_text.h"

#include <algorithm>

namespace baton::cli {
namespace {

constexpr std::size_t kPlainKeyMax = 100;  // YAML takes 1,024 of a plain one, and an escape is 10 characters long

// yaml-cpp leaves carriage returns and line ends of Unicode as they are, which readers take for the end of the line.
bool IsPrintableAscii(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c < '\x7f'; });
}

// Of what a YAML reader would not take for a text if it stood there without quotes.
bool NeedsQuotes(const std::string& text) {
  if (!IsPrintableAscii(text)) return true;
  const auto plain = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!plain.is_discarded()) return true;
  const YAML::Node node(text);
  bool truth = false;
  double number = 0;
  return text == "~" || YAML::convert<bool>::decode(node, truth) || YAML::convert<double>::decode(node, number);
}

// yaml-cpp puts U+FFFD in place of the code points that Unicode keeps free, such as U+FFFE.
bool Survives(const std::string& text) {
  YAML::Emitter out;
  out << YAML::DoubleQuoted << text;
  return YAML::Load(out.c_str()).Scalar() == text;
}

void EmitText(const std::string& text, YAML::Emitter& out, const YamlStyle& style) {
  if (!IsPrintableAscii(text) && !Survives(text)) {
    out << YAML::Binary(reinterpret_cast<const unsigned char*>(text.data()), text.size());
    return;
  }
  if (NeedsQuotes(text)) out << YAML::DoubleQuoted;
  out << (style.escape_variables ? EscapeVariables(text) : text);
}

}  // namespace

std::string EscapeVariables(std::string text) {
  for (std::size_t at = 0; (at = text.find("${", at)) != std::string::npos; at += 3) text.insert(at, "$");
  return text;
}

void EmitKey(const std::string& key, YAML::Emitter& out) {
  if (key.size() > kPlainKeyMax) out << YAML::LongKey;
  out << YAML::Key;
  EmitText(key, out, {});  // no variables in keys
  out << YAML::Value;
}

void EmitYaml(const nlohmann::ordered_json& json, YAML::Emitter& out, const YamlStyle& style) {
  if (json.is_structured() && json.empty()) out << YAML::Flow;  // "ports: []" on one line
  if (json.is_object()) {
    out << YAML::BeginMap;
    for (const auto& [key, value] : json.items()) {
      EmitKey(key, out);
      EmitYaml(value, out, style);
    }
    out << YAML::EndMap;
  } else if (json.is_array()) {
    out << YAML::BeginSeq;
    for (const auto& value : json) EmitYaml(value, out, style);
    out << YAML::EndSeq;
  } else if (json.is_string()) {
    EmitText(json.get<std::string>(), out, style);
  } else if (json.is_null()) {
    out << YAML::Null;
  } else {
    out << json.dump();
  }
}

}  // namespace baton::cli
