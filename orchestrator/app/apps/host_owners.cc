#include "orchestrator/app/apps/host_owners.h"

#include <utility>

namespace baton {
namespace {

// A TCP route's name is its port, which has an owner as a host name does.
std::string NameOf(const Route& route) { return route.hostname.empty() ? Name(route) : route.hostname; }

std::set<std::string> NamesOf(const Routes& routes) {
  std::set<std::string> names;
  for (const MappedRoute& one : routes.mapped) names.insert(NameOf(one.route));
  return names;
}

std::set<std::string> NewNames(const Routes& routes, const Routes& before) {
  std::set<std::string> names = NamesOf(routes);
  for (const std::string& known : NamesOf(before)) names.erase(known);
  return names;
}

Error Taken(const std::string& name, const std::string& as) {
  return {ErrorKind::kFailedPrecondition,
          "host name " + name + (as == name ? "" : ", which is below " + as + ",") +
              " belongs to another domain, whose app routed it first: take another, or have it removed there",
          {}};
}

}  // namespace

Status HostOwners::Hold::Take(const std::string& domain, const Routes& routes, const Routes& before) {
  App wanted{domain, NewNames(routes, before)};
  owners_.LetGo(this);
  if (wanted.names.empty()) return Done{};
  const std::lock_guard lock(owners_.mutex_);
  if (Status free = owners_.CheckLocked(domain, wanted.names); !free) return free;
  owners_.Count(wanted, 1);
  owners_.held_[this] = std::move(wanted);
  return Done{};
}

Status HostOwners::Check(const std::string& domain, const Routes& routes, const Routes& before) const {
  const std::lock_guard lock(mutex_);
  return CheckLocked(domain, NewNames(routes, before));
}

Status HostOwners::CheckLocked(const std::string& domain, const std::set<std::string>& names) const {
  for (const std::string& name : names) {
    if (!OtherOwner(domain, name).empty()) return Taken(name, name);
    // A name below a wildcard takes what the wildcard had.
    for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1)) {
      const std::string wildcard = "*" + name.substr(dot);
      if (wildcard != name && !OtherOwner(domain, wildcard).empty()) return Taken(name, wildcard);
    }
  }
  return Done{};
}

std::string HostOwners::OtherOwner(const std::string& domain, const std::string& name) const {
  const auto at = owners_.find(name);
  if (at == owners_.end() || at->second.contains(domain)) return {};
  return at->second.begin()->first.empty() ? "?" : at->second.begin()->first;
}

void HostOwners::Count(const App& app, int by) {
  for (const std::string& name : app.names) {
    auto& domains = owners_[name];
    if ((domains[app.domain] += by) <= 0) domains.erase(app.domain);
    if (domains.empty()) owners_.erase(name);
  }
}

void HostOwners::LetGo(const Hold* hold) {
  const std::lock_guard lock(mutex_);
  if (const auto at = held_.find(hold); at != held_.end()) {
    Count(at->second, -1);
    held_.erase(at);
  }
}

void HostOwners::Clear() {
  const std::lock_guard lock(mutex_);
  apps_.clear();
  owners_.clear();
  for (const auto& [hold, app] : held_) Count(app, 1);
}

void HostOwners::Set(const AppState& app) {
  App now;
  if (app.desired) now = {app.desired->domain, NamesOf(app.desired->routes)};
  const std::lock_guard lock(mutex_);
  Count(now, 1);
  const auto at = apps_.try_emplace(apps_.end(), app.guid);  // a leader that begins reads them in order
  Count(at->second, -1);
  at->second = std::move(now);
  if (!app.desired) apps_.erase(at);
}

std::string HostOwners::DomainOf(const ProcessGuid& guid) const {
  const std::lock_guard lock(mutex_);
  const auto at = apps_.find(guid);
  return at == apps_.end() ? "" : at->second.domain;
}

}  // namespace baton
