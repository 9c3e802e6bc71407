#include "tools/baton/files/app_text.h"

#include "tools/baton/files/routes_text.h"
#include "tools/baton/yaml/proto_json.h"
#include "tools/baton/yaml/yaml_text.h"

namespace baton::cli {

std::string AppText(const v2::DesiredLRP& app) {
  nlohmann::ordered_json json = JsonOf(app, {.empty_texts = false, .hidden_as_null = true});
  const auto& definition = app.definition();
  if (!definition.content_hash().empty() && definition.definition_identifier() == definition.content_hash()) {
    json["definition"].erase("definition_identifier");
  }
  YAML::Emitter out;
  out.SetNullFormat(YAML::LowerNull);
  out << YAML::BeginMap;
  for (const auto& [key, value] : json.items()) {
    EmitKey(key, out);
    key == "routes" ? EmitRoutes(app.routes(), out) : EmitYaml(value, out, {.escape_variables = true});
  }
  out << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

}  // namespace baton::cli
