// What becomes of apps with egress rules where no cell enforces them: decided by operators, by domain.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace baton {

enum class UnenforcedEgress { kRefuse, kWarn };

// In place of a domain: every domain that is not named.
inline constexpr char kOtherDomains[] = "*";

struct EgressPolicy {
  std::map<std::string, UnenforcedEgress> by_domain;
  UnenforcedEgress others = UnenforcedEgress::kRefuse;

  UnenforcedEgress Of(const std::string& domain) const;
  // `domain`: as kOtherDomains, too.
  void Set(const std::string& domain, UnenforcedEgress what);
};

// "refuse" or "warn".
std::string Name(UnenforcedEgress what);
// Nothing: it is no such word.
std::optional<UnenforcedEgress> UnenforcedEgressNamed(std::string_view word);

}  // namespace baton
