// Impersonation by web pages (role web): a page names the person for whom it calls in the call's metadata. That
// person's role decides, up to the limit that the access file sets for the page. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/access/access_rules.h"
#include "orchestrator/access/identity.h"
#include "orchestrator/base/result.h"

namespace baton {

struct Caller {
  Identity identity;                          // whose role decides
  std::optional<Identity> web = std::nullopt;  // the page that called; nothing: it calls for itself

  // By the certificate: who is counted and bounded.
  const Identity& certificate() const { return web ? *web : identity; }
  bool operator==(const Caller&) const = default;
};

// "operator/alice", or "web/dashboard+operator/alice", as it is stored; no part of an identity has a '+'.
std::string Show(const Caller& caller);

// `said`: each value of the metadata `baton-on-behalf`, "role/operator/alice". FAILED_PRECONDITION: a web
// identity that names no person, two persons, another role than viewer, operator or admin, or one above its line's
// `most`; any other identity that names a person.
Result<Caller> CallerFrom(const Identity& certificate, const std::vector<std::string_view>& said, const AccessRules& rules);

}  // namespace baton
