#include "tools/baton/files/app_routes.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "orchestrator/model/calls/secret_text.h"
#include "orchestrator/model/fleet/shown_routers.h"
#include "tools/baton/files/hidden.h"

namespace baton::cli {
namespace {

using nlohmann::ordered_json;

constexpr char kRaw[] = "!raw";
constexpr char kBinary[] = "tag:yaml.org,2002:binary";
constexpr char kRouteShape[] = "{hostname: NAME, port: 1 to 65535}";

// For JSON, which is UTF-8: other bytes have no place in it.
void CheckUtf8(const std::string& text, const YamlCursor& at) {
  const std::string kept = ordered_json(text).dump(-1, ' ', false, ordered_json::error_handler_t::ignore);
  if (ordered_json::parse(kept).get_ref<const std::string&>() != text) at.Fail("this is not valid UTF-8");
}

std::string HostName(const YamlCursor& at) {
  std::string name = at.Text("a host name");
  CheckUtf8(name, at);
  return name;
}

std::uint16_t Port(const YamlCursor& at) {
  const std::string text = at.Text("a port from 1 to 65535");
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port == 0) {
    at.Fail("expected a port from 1 to 65535, found '" + text + "'");
  }
  return port;
}

ordered_json Route(const YamlCursor& at) {
  ordered_json names = ordered_json::array();
  std::optional<std::uint16_t> port;
  for (const auto& entry : at.Entries(kRouteShape)) {
    if (entry.key == "hostname") {
      names.push_back(HostName(entry.value));
    } else if (entry.key == "hostnames") {
      for (const auto& name : entry.value.Items("a list of host names")) names.push_back(HostName(name));
    } else if (entry.key == "port") {
      port = Port(entry.value);
    } else {
      entry.at_key.Fail("unknown key; expected one of hostname, hostnames, port");
    }
  }
  if (names.empty() || !port) at.Fail("expected " + std::string(kRouteShape) + ": one of them is missing");
  return {{"hostnames", names}, {"port", *port}};
}

std::string HttpRoutes(const YamlCursor& at) {
  ordered_json list = ordered_json::array();
  for (const auto& route : at.Items("a list of " + std::string(kRouteShape))) list.push_back(Route(route));
  return list.dump();
}

ordered_json AnyJson(const YamlCursor& at) {
  if (at.IsList()) {
    ordered_json list = ordered_json::array();
    for (const auto& item : at.Items("a list")) list.push_back(AnyJson(item));
    return list;
  }
  if (at.IsMap()) {
    ordered_json map = ordered_json::object();
    for (const auto& entry : at.Entries("a map")) {
      CheckUtf8(entry.key, entry.at_key);
      map[entry.key] = AnyJson(entry.value);
    }
    return map;
  }
  if (at.IsNull()) return nullptr;
  const std::string text = at.Text("a value");
  CheckUtf8(text, at);
  const auto plain = ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  return plain.is_number() || plain.is_boolean() || plain.is_null() ? plain : ordered_json(text);
}

std::string Payload(const std::string& router, const YamlCursor& at) {
  if (at.tag() == kRaw || at.tag() == kBinary) return at.Text("a text");
  if (!IsShownRouter(router) && at.IsNull()) return kKeep;
  if (!IsShownRouter(router) && at.IsText() && at.Text("a value") == kRedacted) {
    at.Fail("these routes were hidden when they were exported: write null to keep what is stored, or give them");
  }
  return router == kHttpRouter ? HttpRoutes(at) : AnyJson(at).dump();
}

}  // namespace

void ReadRoutes(const YamlCursor& at, v1::ProtoRoutes& routes) {
  auto& by_router = *routes.mutable_routes();
  if (at.IsList()) {
    by_router[kHttpRouter] = HttpRoutes(at);
    return;
  }
  for (const auto& entry : at.Entries("a list of " + std::string(kRouteShape) + ", or a map of routers")) {
    by_router[entry.key] = Payload(entry.key, entry.value);
  }
}

}  // namespace baton::cli
