// The rotation to the active key as PostgreSQL has it: pages, counts, and the end. What it has done is in the database;
// here is what was read of it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/crypto/encrypted_columns.h"
#include "orchestrator/ports/key_store.h"
#include "orchestrator/ports/log.h"
#include "sql/keys/key_session.h"

namespace baton {

class PgRotation {
 public:
  PgRotation(KeySession& session, Cipher& cipher, Log& log) : session_(session), cipher_(cipher), log_(log) {}

  Result<RotationProgress> Step(int rows_max);
  // All tables once more, also those that are done.
  Status BeginAgain();
  // As the database has it.
  Result<RotationProgress> Look();
  // The next of these reads the database again: keys or the leader are others.
  void Forget();

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

  Status Load();
  Status Begin();
  Status Copy(const EncryptedTable& table, int rows_max);
  Page Scan(Session& session, const EncryptedTable& table, int rows_max);
  void Seal(const Session& session, const EncryptedTable& table, Page& page);
  void Rewrite(Session& session, const EncryptedTable& table, const Page& page);
  Status Verify();
  Status Finish();
  RotationProgress Progress(RotationState state) const;

  KeySession& session_;
  Cipher& cipher_;
  Log& log_;
  std::optional<Stored> stored_;     // as it is in the database; nothing where that has to be read
  std::optional<CountState> count_;  // in memory: another process starts counting from zero
};

}  // namespace baton
