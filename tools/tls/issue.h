// Directories for --tls, and those of authorities: what `baton certs` and throw-away stacks write.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/access/identity.h"
#include "orchestrator/base/result.h"
#include "tools/tls/authority.h"

namespace baton::tls {

// ca.pem and ca-key.pem.
Status WriteAuthority(const Authority& authority, const std::string& dir);
// In the place of the one that is there.
Status ReplaceAuthority(const Authority& authority, const std::string& dir);
Result<Authority> ReadAuthority(const std::string& dir);

struct Order {
  Identity identity;
  // Not empty: of a machine of the database of this name, in place of an identity (WantedForDatabase).
  std::string database = {};
  std::vector<std::string> ip_addresses = {};
  std::vector<std::string> dns_names = {};
  Validity validity;
  std::string also_trusted = {};  // PEM of further authorities, while one follows another
};

// A certificate with a key of its own, into `dir`. One that is there is replaced at once if it is of the same identity: others
// are FAILED_PRECONDITION.
Result<Issued> IssueInto(const Authority& authority, const Order& order, const std::string& dir);

}  // namespace baton::tls
