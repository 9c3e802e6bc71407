// Callers that are refused although their certificate is valid: it was stolen, or its owner has left (batond
// --revoked). An entry is a certificate's fingerprint, or a name that any certificate may carry. Pure.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "orchestrator/access/identity.h"
#include "orchestrator/base/result.h"

namespace baton {

struct DenyList {
  std::set<std::string> certificates;  // SHA-256, 64 of 0-9 a-f
  std::set<std::string> names;         // "cell/cell-7"

  bool empty() const { return certificates.empty() && names.empty(); }
  bool Denies(const Identity& identity, const std::string& fingerprint) const {
    return certificates.contains(fingerprint) || names.contains(Show(identity));
  }
};

// Lines "cert SHA256" (as `baton certs show` and openssl print it) and "name role/ROLE/NAME"; "#" begins a comment. INVALID_ARGUMENT with
// FILE:LINE, for the whole file.
Result<DenyList> ParseDenyList(std::string_view text, const std::string& file);

}  // namespace baton
