#include "orchestrator/access/access_rules.h"

#include <algorithm>

namespace baton {
namespace {

constexpr char kAny[] = "*";
constexpr char kAnyPort[] = "tcp:*";

// What the lines of this name give, and those of everybody.
template <class Grant, class Take>
void ForEachOf(const std::map<std::string, Grant>& grants, const std::string& name, Take take) {
  for (const std::string& key : {name, std::string(kAny)}) {
    if (const auto at = grants.find(key); at != grants.end()) take(at->second);
  }
}

// A wildcard of a route is matched as if its "*" were a name: it takes more than one, and none that the pattern does not.
bool Covers(const std::string& pattern, const Route& route) {
  if (pattern == kAny) return true;
  if (route.hostname.empty()) return pattern == kAnyPort;
  if (pattern == route.hostname) return true;
  if (!pattern.starts_with("*.")) return false;
  const std::string_view suffix = std::string_view(pattern).substr(1);  // ".apps.example"
  return route.hostname.ends_with(suffix) && route.hostname.size() > suffix.size();
}

}  // namespace

AccessRules AccessRules::Unlimited() {
  AccessRules rules;
  rules.unlimited_ = true;
  return rules;
}

Domains AccessRules::DomainsOf(const Identity& caller) const {
  if (unlimited_ || caller.role != Role::kController) return {.all = true};
  Domains domains;
  ForEachOf(controllers, caller.name, [&](const ControllerGrant& grant) {
    domains.all = domains.all || grant.domains.all;
    domains.names.insert(grant.domains.names.begin(), grant.domains.names.end());
  });
  if (domains.all) domains.names.clear();
  return domains;
}

bool AccessRules::MayRoute(const Identity& caller, const Route& route) const {
  if (unlimited_ || caller.role != Role::kController) return true;
  bool may = false;
  ForEachOf(controllers, caller.name, [&](const ControllerGrant& grant) {
    may = may || std::ranges::any_of(grant.hostnames, [&](const std::string& pattern) { return Covers(pattern, route); });
  });
  return may;
}

CellGrant AccessRules::CellOf(const std::string& name) const {
  if (unlimited_) return {.networks = {}, .pulls = true};
  CellGrant all;
  ForEachOf(cells, name, [&](const CellGrant& grant) {
    all.networks.insert(all.networks.end(), grant.networks.begin(), grant.networks.end());
    all.pulls = all.pulls || grant.pulls;
  });
  return all;
}

bool AccessRules::MayAcknowledgeRoutes(const std::string& router) const {
  return unlimited_ || routers.contains(router) || routers.contains(kAny);
}

std::optional<Role> AccessRules::MostOf(const std::string& web) const {
  std::optional<Role> most;
  // Of two lines the greater one: they are viewer, operator and admin.
  ForEachOf(webs, web, [&](Role role) {
    const bool greater = !most || role == Role::kAdmin || (role == Role::kOperator && *most == Role::kViewer);
    if (greater) most = role;
  });
  return most;
}

}  // namespace baton
