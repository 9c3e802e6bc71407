#include "tools/tls/material.h"

#include "tools/tls/private_key.h"

namespace baton::tls {
namespace {

constexpr std::string_view kScheme = "spiffe://";

std::string Listed(const std::set<Role>& roles) {
  std::string all;
  for (const Role role : roles) all += (all.empty() ? "" : ", ") + std::string(Name(role));
  return all;
}

// Peers have to be of the trust domain of our own certificate.
std::string TrustDomainOf(const std::vector<std::string>& uris) {
  if (uris.size() != 1 || !uris.front().starts_with(kScheme)) return "";
  const std::string rest = uris.front().substr(kScheme.size());
  return rest.substr(0, rest.find('/'));
}

Status CheckDates(const Certificate& own, const std::string& file, Instant now) {
  const std::string clock = "; the clock here says " + Show(now);
  if (now > own.not_after()) {
    return FailedPrecondition(file + " has expired, on " + Show(own.not_after()) + " UTC" + clock +
                              ": issue a new one (baton certs issue)");
  }
  if (now < own.not_before()) {
    return FailedPrecondition(file + " is not valid yet, but from " + Show(own.not_before()) + " UTC on" + clock +
                              ": is it right?");
  }
  return Done{};
}

}  // namespace

Result<Material> Check(Files files, const std::set<Role>& roles, Instant now) {
  const std::string own_file = files.at.chain;
  const std::string roots_file = files.at.roots;
  const std::string key_file = files.at.key;
  const auto roots = Certificate::ParseAll(files.roots, roots_file);
  if (!roots) return roots.error();
  const auto chain = Certificate::ParseAll(files.chain, own_file);
  if (!chain) return chain.error();
  const auto key = PrivateKey::Parse(files.key, key_file);
  if (!key) return key.error();
  const Certificate& own = chain->front();
  if (!key->Fits(own))
    return FailedPrecondition(key_file + " is not the key of " + own_file + ": both come from one baton certs issue");
  if (Status dates = CheckDates(own, own_file, now); !dates) return dates.error();
  const std::string trust_domain = TrustDomainOf(own.uris());
  const auto self = IdentityOf(own.uris(), trust_domain);
  if (!self)
    return FailedPrecondition(own_file + ": " + self.error().message +
                              "; it takes spiffe://TRUST-DOMAIN/role/ROLE/NAME");
  if (!roles.contains(self->role)) {
    return FailedPrecondition(own_file + " is of " + baton::Show(*self) + "; this takes one of the role " +
                              Listed(roles));
  }
  for (const bool as_server : {false, true}) {
    if (as_server ? self->role != Role::kBatond && self->role != Role::kAuctioneer : self->role == Role::kAuctioneer) continue;
    if (const Status leads = CheckChain(*chain, *roots, as_server, now); !leads) {
      return FailedPrecondition(own_file + " does not lead to " + roots_file + (as_server ? " as a server's" : "") +
                                ": " + leads.error().message);
    }
  }
  return Material{std::move(files), trust_domain, *self, own.not_before(), own.not_after()};
}

Result<Material> ReadMaterial(const std::string& dir, const std::set<Role>& roles, Instant now) {
  auto files = ReadFiles(dir);
  if (!files) return files.error();
  return Check(*std::move(files), roles, now);
}

const std::set<Role>& AllRoles() {
  static const std::set<Role> kAll{Role::kBatond, Role::kController, Role::kOperator,   Role::kViewer, Role::kAdmin,
                                   Role::kCell,   Role::kRouter,     Role::kAuctioneer, Role::kWeb};
  return kAll;
}

const std::set<Role>& RolesOfPeople() {
  static const std::set<Role> kPeople{Role::kController, Role::kOperator, Role::kViewer, Role::kAdmin};
  return kPeople;
}

Instant Now() { return std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now()); }

}  // namespace baton::tls
