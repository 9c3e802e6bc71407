#include "tools/batond/key_file.h"

#include "sql/keys/pg_key_store.h"

namespace baton::batond {

Result<std::shared_ptr<const KeyRing>> TakeKeyFile(const std::string& path, const MemoryFile& memory, Log& log) {
  const auto remembered = memory.Read();
  if (!remembered) return remembered.error();
  const bool sealed_only = *remembered && (*remembered)->sealed_only;
  if (path.empty()) {
    if (sealed_only) return NotSealedOnly("(--keys)");
    return std::shared_ptr<const KeyRing>();
  }
  auto ring = KeyRing::Load(path);
  if (!ring) return ring.error();
  if (sealed_only && !(*ring)->sealed_only()) return NotSealedOnly(path);
  if ((*ring)->sealed_only()) {
    if (Status kept = memory.WriteSealedOnly(); !kept) return kept.error();
  }
  if (!crypto::AllLocked()) {
    log.Warn("keys_not_locked", {{"why", "the system locks no memory for this program: keys may be swapped out"},
                                 {"todo", "raise its limit (systemd: LimitMEMLOCK=1M; ulimit -l)"}});
  }
  return ring;
}

Status CheckKeyFile(const std::string& path) {
  if (path.empty()) return Done{};
  const auto ring = KeyRing::Load(path);
  return ring ? Status(Done{}) : Status(ring.error());
}

}  // namespace baton::batond
