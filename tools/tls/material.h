// A program's TLS material: the files of its directory, validated before use.
#pragma once

#include <set>
#include <string>

#include "orchestrator/access/identity.h"
#include "orchestrator/base/result.h"
#include "tools/tls/certificate.h"
#include "tools/tls/directory.h"

namespace baton::tls {

struct Material {
  Files files;
  std::string trust_domain;  // of our own certificate
  Identity self;
  Instant not_before;
  Instant not_after;
};

// FAILED_PRECONDITION with the file, what is wrong and what to do: no PEM, a key that does not fit, expired, not yet valid, not
// exactly one URI SAN of a role of `roles`, a chain that does not lead to ca.pem.
Result<Material> Check(Files files, const std::set<Role>& roles, Instant now);
Result<Material> ReadMaterial(const std::string& dir, const std::set<Role>& roles, Instant now);

const std::set<Role>& AllRoles();
// Who asks by `baton`.
const std::set<Role>& RolesOfPeople();

Instant Now();

}  // namespace baton::tls
