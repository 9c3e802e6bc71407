#include "tools/batond/door.h"

namespace baton::batond {

Result<Door> DoorOf(const DoorSigns& said) {
  const auto refused = [](const char* why) { return Error{ErrorKind::kFailedPrecondition, why, {}}; };
  if (said.tls && said.insecure) return refused("--tls and --insecure are given, and mean the opposite of each other: choose one");
  if (said.tls) return Door::kTls;
  if (said.insecure) return Door::kInsecure;
  if (!said.database) return Door::kOwnTls;
  return refused("--database needs --tls DIR, a directory with the certificates of this batond, which baton certs ca and baton certs "
                 "issue batond NAME make; or, to try things out on loopback where everybody may do everything, --insecure");
}

}  // namespace baton::batond
