// A caller's identity: role and name, from the one SPIFFE ID of a certificate that TLS has verified. Nothing else in a
// certificate counts: no common name, DNS or IP name (etcd read the common name: CVE-2018-16886). Source:
// SPIFFE-ID 2.1-2.4, X509-SVID 2 and 5.2 ("exactly one URI SAN; validators reject more").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/base/result.h"

namespace baton {

enum class Role { kBatond, kController, kOperator, kViewer, kAdmin, kCell, kRouter, kAuctioneer, kWeb };

// "batond", "controller", as it stands in a certificate.
std::string_view Name(Role role);
std::optional<Role> ParseRole(std::string_view word);

struct Identity {
  Role role = Role::kViewer;
  std::string name;  // 1 to 128 of a-z A-Z 0-9 . _ -, and neither "." nor ".."

  bool operator==(const Identity&) const = default;
};

// "cell/cell-7", as it is logged and stored.
std::string Show(const Identity& identity);

// What Show says, read back. Nothing where it is no such text.
std::optional<Identity> ParseIdentity(std::string_view shown);

// "spiffe://TRUST-DOMAIN/role/ROLE/NAME".
std::string SpiffeId(const std::string& trust_domain, const Identity& identity);

// Of a certificate's URI SANs, all of them. INVALID_ARGUMENT with what is wrong where it is not exactly one of that form in that
// trust domain, byte by byte.
Result<Identity> IdentityOf(const std::vector<std::string>& uris, std::string_view trust_domain);

// 1 to 255 of a-z 0-9 . _ - (SPIFFE-ID 2.1).
bool IsTrustDomain(std::string_view word);

}  // namespace baton
