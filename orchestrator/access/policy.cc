#include "orchestrator/access/policy.h"

#include <algorithm>

namespace baton {

AccessDecision Policy::Decide(Role role, std::string_view path, Way way) const {
  const auto method = methods_.find(path);
  if (method == methods_.end()) return AccessDecision::kUnknownMethod;
  const auto& roles = method->second.roles;
  const auto& within = method->second.within;
  const bool let_in = std::ranges::find(roles, role) != roles.end() ||
                      (way == Way::kThroughV1 && std::ranges::find(within, role) != within.end());
  return let_in ? AccessDecision::kAllowed : AccessDecision::kOtherRole;
}

bool MayReveal(Role role) { return role == Role::kAdmin || role == Role::kController || role == Role::kCell; }
bool MayReadLastWords(Role role) { return role == Role::kAdmin || role == Role::kController; }
bool MayStartWork(Role role) { return role == Role::kAdmin || role == Role::kOperator; }
bool MayRemoveUnnamed(Role role) { return role == Role::kAdmin; }

}  // namespace baton
