// What becomes of apps with egress rules where no cell enforces them: the operator's word, by domain.
#pragma once

#include <map>
#include <string>

#include "orchestrator/model/result.h"

namespace baton {

enum class UnenforcedEgress { kRefuse, kWarn };

struct EgressPolicy {
  std::map<std::string, UnenforcedEgress> by_domain;
  UnenforcedEgress others = UnenforcedEgress::kRefuse;

  UnenforcedEgress Of(const std::string& domain) const;
};

// Takes one word of the operator's: "DOMAIN=refuse" or "DOMAIN=warn"; "*" is every domain that is not named.
// INVALID_ARGUMENT where it is none, or a domain is named a second time.
Status Take(const std::string& word, EgressPolicy& policy);

// "refuse" or "warn".
std::string Name(UnenforcedEgress what);

}  // namespace baton
