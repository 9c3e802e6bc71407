// Which objects an authenticated caller may touch: what an operator grants controllers, cells and routers (batond
// --access). What is not granted is denied. Pure.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/access/identity.h"
#include "orchestrator/base/result.h"
#include "orchestrator/model/calls/allowed_hosts.h"
#include "orchestrator/model/route.h"

namespace baton {

// Domains of apps.
struct Domains {
  bool all = false;
  std::set<std::string> names = {};  // where not all

  bool Has(const std::string& domain) const { return all || names.contains(domain); }
  bool operator==(const Domains&) const = default;
};

// What one line grants. A caller gets the grants of all lines that name it, "*" included.
struct ControllerGrant {
  Domains domains;
  // "shop.example"; "*.apps.example", each name below it, and itself; "tcp:*", ports of TCP routes; "*", all.
  std::set<std::string> hostnames;
};
struct CellGrant {
  std::vector<IpNetwork> networks;  // where its instances may say that they are, beside its certificate's addresses
  bool pulls = false;               // it may claim what waits for a cell without having been asked to
};

class AccessRules {
 public:
  // Without a file: all of what a role's methods can touch.
  static AccessRules Unlimited();

  bool unlimited() const { return unlimited_; }
  // Who is no controller has all.
  Domains DomainsOf(const Identity& caller) const;
  bool MayRoute(const Identity& caller, const Route& route) const;
  CellGrant CellOf(const std::string& name) const;
  bool MayAcknowledgeRoutes(const std::string& router) const;
  // As what people come through this page at most; nothing: nobody does, as without a file.
  std::optional<Role> MostOf(const std::string& web) const;

  // By name, "*" for all.
  std::map<std::string, ControllerGrant> controllers;
  std::map<std::string, CellGrant> cells;
  std::set<std::string> routers;
  std::map<std::string, Role> webs;  // at most as what people come through it

 private:
  bool unlimited_ = false;
};

// Lines of words; "#" begins a comment. INVALID_ARGUMENT with FILE:LINE and what is taken there, for the whole file.
Result<AccessRules> ParseAccess(std::string_view text, const std::string& file);

}  // namespace baton
