#include "tools/batond/transport_security.h"

namespace baton::batond {

Result<TransportSecurity> TransportSecurityOf(const TransportFlags& said) {
  const auto refused = [](const char* why) { return Error{ErrorKind::kFailedPrecondition, why, {}}; };
  if (said.tls && said.insecure) return refused("--tls and --insecure are given, and mean the opposite of each other: choose one");
  if (said.tls) return TransportSecurity::kTls;
  if (said.insecure) return TransportSecurity::kInsecure;
  if (!said.database) return TransportSecurity::kOwnTls;
  return refused("--database needs --tls DIR, a directory with the certificates of this batond, which baton certs ca and baton certs "
                 "issue batond NAME make; or, to try things out on loopback where everybody may do everything, --insecure");
}

}  // namespace baton::batond
