#include "orchestrator/model/fleet/egress.h"

namespace baton {

std::string Name(UnenforcedEgress what) { return what == UnenforcedEgress::kWarn ? "warn" : "refuse"; }

std::optional<UnenforcedEgress> UnenforcedEgressNamed(std::string_view word) {
  for (const UnenforcedEgress what : {UnenforcedEgress::kRefuse, UnenforcedEgress::kWarn}) {
    if (word == Name(what)) return what;
  }
  return std::nullopt;
}

UnenforcedEgress EgressPolicy::Of(const std::string& domain) const {
  const auto named = by_domain.find(domain);
  return named == by_domain.end() ? others : named->second;
}

void EgressPolicy::Set(const std::string& domain, UnenforcedEgress what) {
  (domain == kOtherDomains ? others : by_domain[domain]) = what;
}

}  // namespace baton
