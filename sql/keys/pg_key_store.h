// The key store over PostgreSQL, for the process that leads. It owns what is in use: the ring in the cipher.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "orchestrator/crypto/encrypted_columns.h"
#include "orchestrator/ports/key_store.h"
#include "orchestrator/ports/log.h"
#include "sql/store/fence.h"

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
  struct TableState {
    std::vector<std::string> checkpoint;
    std::int64_t rows_total = 0;
    std::int64_t rows_done = 0;
    std::int64_t faults = 0;
    bool done = false;
  };
  struct Stored {
    bool needed = false;
    bool begun = false;
    std::optional<TimePoint> began_at;
    std::map<std::string, TableState, std::less<>> tables;
  };
  struct CountState {
    int looks = 0;
    std::size_t table = 0;
    std::vector<std::string> after;
  };
  struct Page;

  Result<Session*> Connected();
  Status Read(const std::function<void(Session&)>& body);
  Status Write(const std::function<void(Session&)>& body);
  Result<std::int64_t> Take(const std::shared_ptr<const KeyRing>& ring);
  Status Load();
  Status Begin();
  Status Copy(const EncryptedTable& table, int rows_max);
  Page Scan(Session& session, const EncryptedTable& table, int rows_max);
  void Seal(const Session& session, const EncryptedTable& table, Page& page);
  void Rewrite(Session& session, const EncryptedTable& table, const Page& page);
  Status Verify();
  Status Finish();
  void Forget();
  Status PassAgain();
  std::vector<BlobCount> Count(Session& session);
  RotationProgress Progress(RotationState state) const;

  const std::string url_;
  const std::string file_;
  Cipher& cipher_;
  Log& log_;
  std::function<Status()> on_sealed_only_;
  std::mutex busy_;  // a step of the last reign may be under way when the next one begins
  Leadership leadership_;
  std::unique_ptr<Session> session_;
  std::optional<Stored> stored_;  // as it is in the database; nothing where that has to be read
  std::optional<CountState> count_;  // in memory: another process starts counting from zero
};

}  // namespace baton
