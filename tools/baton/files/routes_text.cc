#include "tools/baton/files/routes_text.h"

#include <functional>
#include <map>
#include <optional>

#include "orchestrator/model/calls/secret_text.h"
#include "orchestrator/model/fleet/shown_routers.h"
#include "tools/baton/files/app_routes.h"
#include "tools/baton/yaml/yaml_text.h"

namespace baton::cli {
namespace {

using nlohmann::ordered_json;
using ByRouter = std::map<std::string, std::string>;

constexpr int kRoutesDepthMax =
    30;  // of what is printed as a tree; nobody writes deeper routes, and all that walks it recurses

// Nothing: it is no JSON, or too deep.
std::optional<ordered_json> Parsed(const std::string& text) {
  bool too_deep = false;
  const auto look = [&](int depth, ordered_json::parse_event_t, const ordered_json&) {
    too_deep |= depth > kRoutesDepthMax;
    return !too_deep;
  };
  auto json = ordered_json::parse(text, look, /*allow_exceptions=*/false);
  if (too_deep || json.is_discarded()) return std::nullopt;
  return json;
}

ByRouter Sorted(const v1::ProtoRoutes& routes) { return {routes.routes().begin(), routes.routes().end()}; }

// What an app file would mean that had this under `routes`; nothing: it would be refused.
std::optional<ByRouter> ReadBack(const std::string& yaml) {
  try {
    const Variables none;
    const FileContext context{"routes", none};
    v1::ProtoRoutes routes;
    ReadRoutes(YamlCursor(context, YAML::Load(yaml)), routes);
    return Sorted(routes);
  } catch (const YAML::Exception&) {
    return std::nullopt;
  } catch (const FileFault&) {
    return std::nullopt;
  }
}

std::string Text(const std::function<void(YAML::Emitter&)>& emit) {
  YAML::Emitter out;
  emit(out);
  return out.c_str();
}

void EmitTree(const ordered_json& json, YAML::Emitter& out) { EmitYaml(json, out, {.escape_variables = true}); }

void EmitRaw(const std::string& payload, YAML::Emitter& out) {
  out << YAML::LocalTag("raw") << YAML::DoubleQuoted << EscapeVariables(payload);
}

// The first form that means `payload` again.
void EmitPayload(const std::string& router, const std::string& payload, YAML::Emitter& out) {
  const auto means_it = [&](const std::function<void(YAML::Emitter&)>& emit) {
    const auto entry = [&](YAML::Emitter& alone) {
      alone << YAML::BeginMap;
      EmitKey(router, alone);
      emit(alone);
      alone << YAML::EndMap;
    };
    return ReadBack(Text(entry)) == ByRouter{{router, payload}};
  };
  const auto json = Parsed(payload);
  const auto tree = [&](YAML::Emitter& to) { EmitTree(*json, to); };
  const auto raw = [&](YAML::Emitter& to) { EmitRaw(payload, to); };
  if (json && means_it(tree)) return tree(out);
  if (means_it(raw)) return raw(out);
  out << YAML::Binary(reinterpret_cast<const unsigned char*>(payload.data()), payload.size());
}

}  // namespace

ordered_json RoutesJson(const v1::ProtoRoutes& routes) {
  const ByRouter by_router = Sorted(routes);
  ordered_json all = ordered_json::object();
  for (const auto& [router, payload] : by_router) {
    if (!IsShownRouter(router)) {
      all[router] = kRedacted;
      continue;
    }
    auto json = Parsed(payload);
    all[router] = json ? *std::move(json) : ordered_json(payload);
  }
  const bool plain = all.size() == 1 && all.contains(kHttpRouter) && all[kHttpRouter].is_array();
  return plain ? ordered_json(all[kHttpRouter]) : all;
}

void EmitRoutes(const v1::ProtoRoutes& routes, YAML::Emitter& out) {
  const ByRouter by_router = Sorted(routes);
  const ordered_json json = RoutesJson(routes);
  if (json.is_array()) {
    const auto list = [&](YAML::Emitter& to) { EmitTree(json, to); };
    if (ReadBack(Text(list)) == by_router) return list(out);
  }
  if (by_router.empty()) out << YAML::Flow;
  out << YAML::BeginMap;
  for (const auto& [router, payload] : by_router) {
    EmitKey(router, out);
    IsShownRouter(router) ? EmitPayload(router, payload, out) : void(out << YAML::Null);
  }
  out << YAML::EndMap;
}

}  // namespace baton::cli
