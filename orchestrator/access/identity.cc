#include "orchestrator/access/identity.h"

#include <algorithm>
#include <array>
#include <utility>

namespace baton {
namespace {

constexpr std::array<std::pair<Role, std::string_view>, 9> kRoles{{{Role::kBatond, "batond"},
                                                                   {Role::kController, "controller"},
                                                                   {Role::kOperator, "operator"},
                                                                   {Role::kViewer, "viewer"},
                                                                   {Role::kAdmin, "admin"},
                                                                   {Role::kCell, "cell"},
                                                                   {Role::kRouter, "router"},
                                                                   {Role::kAuctioneer, "auctioneer"},
                                                                   {Role::kWeb, "web"}}};
constexpr std::string_view kScheme = "spiffe://";
constexpr std::string_view kRolePath = "/role/";
constexpr std::size_t kNameMax = 128;
constexpr std::size_t kTrustDomainMax = 255;

// No locale: what is compared byte by byte is read byte by byte.
bool IsLower(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-'; }
bool IsOfName(char c) { return IsLower(c) || (c >= 'A' && c <= 'Z'); }

// A path segment of "." or ".." is not allowed in a SPIFFE ID.
bool IsIdentityName(std::string_view word) {
  return !word.empty() && word.size() <= kNameMax && word != "." && word != ".." && std::ranges::all_of(word, IsOfName);
}

Error NotWho(std::string why) {
  return Error{ErrorKind::kInvalidArgument, "the certificate does not say who its owner is: " + std::move(why), {}};
}

}  // namespace

std::string_view Name(Role role) {
  return std::ranges::find(kRoles, role, &std::pair<Role, std::string_view>::first)->second;
}

std::optional<Role> ParseRole(std::string_view word) {
  const auto found = std::ranges::find(kRoles, word, &std::pair<Role, std::string_view>::second);
  return found == kRoles.end() ? std::nullopt : std::optional(found->first);
}

std::string Show(const Identity& identity) { return std::string(Name(identity.role)) + "/" + identity.name; }

std::optional<Identity> ParseIdentity(std::string_view shown) {
  const std::size_t slash = shown.find('/');
  const std::optional<Role> role = ParseRole(shown.substr(0, slash));
  if (!role || slash == std::string_view::npos || !IsIdentityName(shown.substr(slash + 1))) return std::nullopt;
  return Identity{*role, std::string(shown.substr(slash + 1))};
}

std::string SpiffeId(const std::string& trust_domain, const Identity& identity) {
  return std::string(kScheme) + trust_domain + std::string(kRolePath) + Show(identity);
}

bool IsTrustDomain(std::string_view word) {
  return !word.empty() && word.size() <= kTrustDomainMax && std::ranges::all_of(word, IsLower);
}

Result<Identity> IdentityOf(const std::vector<std::string>& uris, std::string_view trust_domain) {
  if (uris.empty()) return NotWho("it has no URI SAN, spiffe://" + std::string(trust_domain) + "/role/ROLE/NAME");
  if (uris.size() > 1) return NotWho("it has more than one URI SAN");
  std::string_view rest = uris.front();
  if (!rest.starts_with(kScheme)) return NotWho("its URI SAN does not begin with spiffe://");
  rest.remove_prefix(kScheme.size());
  const std::size_t path = rest.find('/');
  if (!IsTrustDomain(trust_domain) || rest.substr(0, path) != trust_domain) {
    return NotWho("it is of another trust domain than " + std::string(trust_domain));
  }
  rest.remove_prefix(std::min(path, rest.size()));
  if (!rest.starts_with(kRolePath)) return NotWho("the path of its URI SAN is not /role/ROLE/NAME");
  rest.remove_prefix(kRolePath.size());
  const std::size_t slash = rest.find('/');
  const std::optional<Role> role = ParseRole(rest.substr(0, slash));
  if (!role) return NotWho("its URI SAN names no role of Baton's");
  if (slash == std::string_view::npos || !IsIdentityName(rest.substr(slash + 1))) {
    return NotWho("the name in its URI SAN is not 1 to 128 of a-z, A-Z, 0-9, '.', '_', '-'");
  }
  return Identity{*role, std::string(rest.substr(slash + 1))};
}

}  // namespace baton
