// JSON values as block YAML.
#pragma once

#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>
#include <string>

namespace baton::cli {

struct YamlStyle {
  bool escape_variables = false;  // for app files, where ${NAME} means a variable
};

// What is a text stays one for every reader: "true", "12" and the like get quotes, and what YAML has no characters for is
// `!!binary BASE64`.
void EmitYaml(const nlohmann::ordered_json& json, YAML::Emitter& out, const YamlStyle& style = {});

// A key of a map, however long.
void EmitKey(const std::string& key, YAML::Emitter& out);

// "$${" for each "${": an app file means the latter by the former.
std::string EscapeVariables(std::string text);

}  // namespace baton::cli
