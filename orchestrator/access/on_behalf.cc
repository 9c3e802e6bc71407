#include "orchestrator/access/on_behalf.h"

#include <algorithm>
#include <array>

namespace baton {
namespace {

// People, the least first.
constexpr std::array kPeople = {Role::kViewer, Role::kOperator, Role::kAdmin};
constexpr std::string_view kPrefix = "role/";

std::optional<Identity> PersonIn(std::string_view said) {
  if (!said.starts_with(kPrefix)) return std::nullopt;
  const auto person = ParseIdentity(said.substr(kPrefix.size()));
  return person && std::ranges::find(kPeople, person->role) != kPeople.end() ? person : std::nullopt;
}

}  // namespace

std::string Show(const Caller& caller) { return (caller.web ? Show(*caller.web) + "+" : "") + Show(caller.identity); }

Result<Caller> CallerFrom(const Identity& certificate, const std::vector<std::string_view>& said, const AccessRules& rules) {
  if (certificate.role != Role::kWeb) {
    if (said.empty()) return Caller{certificate};
    return FailedPrecondition(Show(certificate) + " calls for nobody else: leave baton-on-behalf out");
  }
  const std::string page = Show(certificate);
  if (said.size() != 1)
    return FailedPrecondition(page + " calls for a person: it takes one baton-on-behalf, role/ROLE/NAME");
  const auto person = PersonIn(said.front());
  if (!person)
    return FailedPrecondition("baton-on-behalf of " + page + " is no role/ROLE/NAME of a viewer, operator or admin");
  const auto most = rules.MostOf(certificate.name);
  if (!most) return FailedPrecondition(page + " calls for nobody: the access file has no line of it (batond --access)");
  if (std::ranges::find(kPeople, person->role) > std::ranges::find(kPeople, *most)) {
    return FailedPrecondition(page + " calls for " + std::string(Name(*most)) + " at most, not for " + Show(*person) +
                              " (batond --access)");
  }
  return Caller{*person, certificate};
}

}  // namespace baton
