// Certificates for development on one machine: an authority that lives and goes with its directory, and a certificate
// for each part, renewed before they expire. For `batond --embedded`, ./dev run and test stacks. Not for several
// machines: access to the directory gives every identity.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/access/identity.h"
#include "orchestrator/base/result.h"
#include "tools/tls/authority.h"

namespace baton::tls {

inline constexpr int kDevCertificateDays = 30;

class DevCertificates {
 public:
  // Takes up what is in `dir`, and renews what is due; where there is nothing, an authority is made.
  static Result<DevCertificates> Open(const std::string& dir, Instant now);

  const std::string& trust_domain() const { return authority_.trust_domain(); }
  // Where its certificate is, or would be: DIR/batond, DIR/cell-1, DIR/viewer-ann.
  std::string DirOf(const Identity& identity) const;
  // The same, and it is there now.
  Result<std::string> For(const Identity& identity, Instant now) const;
  // A new one, in the place of the one that is there: who uses it takes it up within some seconds.
  Status Issue(const Identity& identity, Instant now) const;
  // All that have a third of their life left or less; where the authority has, that one and all. How many.
  Result<int> RenewWhereDue(Instant now);

 private:
  DevCertificates(std::string dir, Authority authority) : dir_(std::move(dir)), authority_(std::move(authority)) {}

  std::string dir_;
  Authority authority_;
};

// What a batond that is tried out gets beside its data: itself, an admin, a controller, two cells, a router, an auctioneer.
const std::vector<Identity>& UsualParts();

// A third of its life is left, or less.
bool IsDue(Instant from, Instant to, Instant now);

}  // namespace baton::tls
