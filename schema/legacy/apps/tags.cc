#include "schema/legacy/apps/tags.h"

#include <nlohmann/json.hpp>
#include <set>

namespace baton {
namespace {

constexpr char kInternalRouter[] = "internal-router";

std::string Resolved(const v1::MetricTagValue& value, const LegacyInstance& instance) {
  switch (value.dynamic()) {
    case v1::MetricTagValue::INDEX: return std::to_string(instance.index);
    case v1::MetricTagValue::INSTANCE_GUID: return instance.instance_guid;
    default: return value.static_();
  }
}

}  // namespace

bool FollowFrom(const v1::ActualLRP& internal_routes, const v1::ProtoRoutes& routes) {
  std::multiset<std::string> own;
  for (const auto& route : internal_routes.actual_lrp_internal_routes()) own.insert(route.hostname());
  std::multiset<std::string> of_app;
  const auto found = routes.routes().find(kInternalRouter);
  if (found != routes.routes().end()) {
    const auto list = nlohmann::json::parse(found->second, nullptr, /*allow_exceptions=*/false);
    if (!list.is_array()) return own.empty();
    for (const auto& route : list) {
      if (!route.is_object() || !route.contains("hostname") || !route["hostname"].is_string()) return false;
      of_app.insert(route["hostname"].get<std::string>());
    }
  }
  return own == of_app;
}

bool FollowFrom(const LegacyTags& tags, const LegacyTags& of_app, const LegacyInstance& instance) {
  if (tags.size() != of_app.size()) return false;
  for (const auto& [name, value] : of_app) {
    const auto own = tags.find(name);
    if (own == tags.end() || own->second.static_() != Resolved(value, instance)) return false;
  }
  return true;
}

}  // namespace baton
