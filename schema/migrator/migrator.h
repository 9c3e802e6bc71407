// Brings a database to the schema that this program is built for: expand, copy, set current, contract
// (docs/guide/upgrades.md). Every transaction is fenced; killed at any statement, the next one goes on from there, and
// comes to the same.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/fleet/upgrade.h"
#include "schema/found.h"
#include "schema/migrator/copier.h"
#include "schema/migrator/steps.h"
#include "schema/verdict.h"

namespace baton {

class Session;
struct SessionError;

struct MigrationProgress {
  std::int64_t from = 0;  // versions
  std::int64_t to = 0;
  std::string step;            // "101 copy Copy0101Domains"
  std::int64_t rows_done = 0;  // of the whole migration
  std::int64_t rows_left = 0;
  double seconds = 0;  // since it began, in this process
};
// "migrating from 2.0.0 to 2.1.0: 40 %, 12 s left": for logs, answers and people.
std::string Say(const MigrationProgress& progress);

struct MigrationReport {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t rows = 0;  // that copies read
  std::int64_t lrps = 0;  // desired and actual ones in the database
  double seconds = 0;
  double MsPerThousandLrps() const { return lrps > 0 ? seconds * 1e6 / static_cast<double>(lrps) : 0; }
};

struct MigratorOptions {
  // First in every transaction: false where this process may write no more; nothing is written then. Null: it may, as
  // long as it holds the migrators' lock (tests, tools, an empty database).
  std::function<bool(Session&)> fence;
  // After each batch: false to stop there.
  std::function<bool(const MigrationProgress&)> progress;
  // Copies that are no statement of sql/statements/migrate.sql, by the name that the file gives them; null: it is one.
  std::function<std::unique_ptr<Copier>(const std::string& name)> copier;
  int batch = 2000;  // rows
};

class Migrator {
 public:
  Migrator(Session& session, const std::vector<Migration>& shipped, MigratorOptions options);

  // Makes the newest layout in an empty database, whole or not at all. Nothing where another was faster.
  Status Create();
  // By the law from what is there to what this program is built for; nothing where it is there already. UNAVAILABLE
  // where the database went away, ABORTED where the fence or `progress` said no, FAILED_PRECONDITION where rows cannot
  // be taken over, with their names.
  Result<MigrationReport> Up();
  // Online: all of it before the end, while the older layout is served; `target` stays what it is. Nothing of it is done
  // twice.
  Status Prepare();
  // Its end: from here on the newer layout counts. `also`: in the same transaction; its refusal is the end's.
  Status End(const std::function<Status(Session&)>& also = {});
  // To `to`, where the older layout was kept in step: nothing is converted.
  Status EndBack(const UpgradeView& upgrade, const std::function<Status(Session&)>& also);
  // What a contract left undone, because its process was killed after END.
  Status Contract();
  // The way back to an older version that was shipped. FAILED_PRECONDITION with each thing that would be lost.
  Result<MigrationReport> Down(std::int64_t to);

 private:
  struct StepState {
    bool done = false;
    std::string checkpoint;
    std::int64_t rows = 0;
  };

  Status Within(const std::function<Status(Session&)>& body);
  Status Begin(std::int64_t target, bool say_so);
  Status FillTarget();
  Status RunStep(const Migration& migration, const MigrationStep& step);
  Status RunScript(const Migration& migration, const MigrationStep& step);
  Status RunOutside(const Migration& migration, const MigrationStep& step);
  Status RunCopy(const Migration& migration, const MigrationStep& step);
  Status RunAll(const Migration& migration, PartKind kind);
  Status Lost(const std::vector<const Migration*>& back);
  Status EndDown(const std::vector<const Migration*>& back, const Migration& to);
  Status ReadSteps();
  Status Count(const std::vector<const Migration*>& pending, PartKind kind);
  bool Tell(const Migration& migration, const MigrationStep& step);
  std::unique_ptr<Copier> CopierOf(const std::string& name);
  MigrationReport Report();

  Session& session_;
  const std::vector<Migration>& shipped_;
  MigratorOptions options_;
  std::map<std::string, StepState> steps_;  // by version, kind and name
  MigrationProgress progress_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

// For a program that has the database to itself: inspects it, then creates or migrates the schema. FAILED_PRECONDITION:
// the version rules refuse.
Status Migrate(Session& session);

}  // namespace baton
