// A private certificate authority for a trust domain: `baton certs`, `./dev run`, tests. Its key need not be on
// batond's machine. Users of SPIRE, Vault or step do not need it.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/access/identity.h"
#include "orchestrator/base/result.h"
#include "tools/tls/certificate.h"
#include "tools/tls/private_key.h"

namespace baton::tls {

struct Validity {
  Instant from;
  Instant to;
};
// From a minute ago, for clocks that differ a little.
Validity ForDays(int days, Instant now);

// What a certificate says. Anything may be put into it: tests put nonsense.
struct Wanted {
  std::string common_name;  // informational
  std::vector<std::string> uris;
  std::vector<std::string> dns_names;
  std::vector<std::string> ip_addresses;
  bool serves = false;
  bool calls = true;
  Validity validity;
};

// Who serves: batond and web do both, an auctioneer only that; a cell must never be able to pose as batond.
Wanted WantedFor(const std::string& trust_domain, const Identity& identity, const Validity& validity);
// Of a machine on which PostgreSQL and what looks after it (Patroni, etcd) serve and call each other. To Baton it is
// nobody.
Wanted WantedForDatabase(const std::string& trust_domain, const std::string& name, const Validity& validity);

struct Issued {
  Certificate certificate;
  PrivateKey key;
};

class Authority {
 public:
  static Authority Make(const std::string& trust_domain, const Validity& validity);
  // Of what `baton certs ca` has written, or anybody: FAILED_PRECONDITION where the key does not fit, the certificate is none
  // of an authority, or does not name one trust domain (URI SAN spiffe://TRUST-DOMAIN).
  static Result<Authority> From(const std::string& certificate_pem, const std::string& key_pem, const std::string& file);

  // The same name and key with another validity: a client that trusts one trusts certificates issued by the other.
  Authority Renewed(const Validity& validity) const;

  const std::string& trust_domain() const { return trust_domain_; }
  const Certificate& certificate() const { return certificate_; }
  const PrivateKey& key() const { return key_; }
  // With a key of its own. INVALID_ARGUMENT for an IP address that is none.
  Result<Issued> Issue(const Wanted& wanted) const;

 private:
  Authority(std::string trust_domain, Certificate certificate, PrivateKey key)
      : trust_domain_(std::move(trust_domain)), certificate_(std::move(certificate)), key_(std::move(key)) {}

  std::string trust_domain_;
  Certificate certificate_;
  PrivateKey key_;
};

}  // namespace baton::tls
