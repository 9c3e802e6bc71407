// By which door callers come in: over TLS with given certificates, with ones of batond's own, or, where somebody says so, without.
#pragma once

#include "orchestrator/base/result.h"

namespace baton::batond {

enum class TransportSecurity { kTls, kOwnTls, kInsecure };

// What was said on the command line.
struct TransportFlags {
  bool database = false;  // --database; else --embedded
  bool tls = false;
  bool insecure = false;
};

// FAILED_PRECONDITION with what to say instead.
Result<TransportSecurity> TransportSecurityOf(const TransportFlags& said);

inline constexpr char kInsecureWhy[] = "whoever reaches the API is admin: every local process, each app on this machine";

}  // namespace baton::batond
