// The key store over PostgreSQL, for the process that leads. It owns what is in use: the ring in the cipher.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "orchestrator/ports/key_store.h"
#include "orchestrator/ports/log.h"
#include "sql/keys/key_session.h"
#include "sql/keys/pg_rotation.h"

namespace baton {

// Of a key file that has lost its line `sealed only`.
Error NotSealedOnly(const std::string& file);

class PgKeyStore final : public KeyStore {
 public:
  // How often a key may be used before it is asked again: what a crash makes of the count. `file` empty: no keys.
  static constexpr std::int64_t kGrant = 1 << 20;

  PgKeyStore(std::string url, std::string file, Cipher& cipher, Log& log);

  // Called before a key file is taken into use that is `sealed only`; where that fails, the file is not taken.
  void OnSealedOnly(std::function<Status()> keep) { on_sealed_only_ = std::move(keep); }

  // Of a process that has just been elected, before it writes anything.
  Status Lead(const Leadership& leadership);
  // Whether the keys are the database's. Reads only.
  Status MayLead();

  Status Reload() override;
  Status Replenish() override;
  Result<RotationProgress> Step(int rows_max) override;
  Status BeginAgain() override;
  Result<KeysView> Look(bool count) override;

 private:
  Result<std::int64_t> Take(const std::shared_ptr<const KeyRing>& ring);

  const std::string file_;
  Cipher& cipher_;
  Log& log_;
  std::function<Status()> on_sealed_only_;
  std::mutex busy_;  // a step of the last reign may be under way when the next one begins
  KeySession session_;
  PgRotation rotation_;
};

}  // namespace baton
