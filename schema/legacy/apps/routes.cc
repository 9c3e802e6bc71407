#include "schema/legacy/apps/routes.h"

#include <nlohmann/json.hpp>

#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/messages/routes.h"

namespace baton {
namespace {

using Json = nlohmann::ordered_json;

Status CheckHttp(const Json& list) {
  v1::ProtoRoutes one;
  (*one.mutable_routes())[kHttpRouter] = list.dump(-1, ' ', false, Json::error_handler_t::replace);
  const auto routes = wire::RoutesFrom(one);
  return routes ? Status(Done{}) : Status(routes.error());
}

bool HasHostNames(const Json& route) {
  return route.is_object() && route.contains("hostnames") && route["hostnames"].is_array();
}

// wire::RoutesFrom checked one host name of one route, so the indices in its message mean nothing. The fault names the
// host name.
std::string OfHostName(const Json& name, const std::string& message) {
  constexpr std::string_view kPlace = "routes.cf-router[0].hostnames[0]";
  if (!name.is_string() || !message.starts_with(kPlace)) return message;
  return "cf-router: " + wire::Shown(name.get<std::string>()) + message.substr(kPlace.size());
}

// The route with those of its host names that are taken; null where nothing of it is.
Json KeepHostNames(const Json& route, std::vector<std::string>& faults) {
  const Status whole = CheckHttp(Json::array({route}));
  if (whole) return route;
  if (!HasHostNames(route)) {
    faults.push_back(whole.error().message);
    return nullptr;
  }
  Json kept = route;
  kept["hostnames"] = Json::array();
  for (const Json& name : route["hostnames"]) {
    Json alone = route;
    alone["hostnames"] = Json::array({name});
    const Status status = CheckHttp(Json::array({alone}));
    if (status) {
      kept["hostnames"].push_back(name);
    } else {
      faults.push_back(OfHostName(name, status.error().message));
    }
  }
  return kept["hostnames"].empty() ? Json(nullptr) : kept;
}

// The payload is rewritten: callers have something to leave out.
std::string KeepHttp(const std::string& payload, std::vector<std::string>& faults) {
  const Json list = Json::parse(payload, nullptr, /*allow_exceptions=*/false);
  if (!list.is_array()) {
    faults.push_back("routes.cf-router is not a JSON list: " + wire::Shown(payload));
    return "";
  }
  Json kept = Json::array();
  for (const Json& route : list) {
    Json readable = KeepHostNames(route, faults);
    if (!readable.is_null()) kept.push_back(std::move(readable));
  }
  return kept.dump();
}

}  // namespace

ReadableRoutes KeepReadable(const v1::ProtoRoutes& routes) {
  ReadableRoutes kept;
  for (const auto& [router, payload] : routes.routes()) {
    if (const Status status = wire::CheckName("routes: the router's name", router); !status) {
      kept.faults.push_back(status.error().message);
      continue;
    }
    const std::string readable = router == kHttpRouter ? KeepHttp(payload, kept.faults) : payload;
    if (router == kHttpRouter && readable.empty()) continue;
    (*kept.routes.mutable_routes())[router] = readable;
  }
  return kept;
}

}  // namespace baton
