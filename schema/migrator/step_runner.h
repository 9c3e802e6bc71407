// Runs the steps of migrations, forward or back: each in fenced transactions of its own, and none twice.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "schema/migrator/copier.h"
#include "schema/migrator/steps.h"

namespace baton {

class Session;

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

// The first 20, a line each.
std::string Listed(const std::vector<std::string>& names);

class StepRunner {
 public:
  StepRunner(Session& session, MigratorOptions options) : session_(session), options_(std::move(options)) {}

  // A transaction with the fence before it. UNAVAILABLE where the database went away, ABORTED where the fence said no.
  Status Within(const std::function<Status(Session&)>& body);

  // The clock of the report begins.
  void Start() { began_ = std::chrono::steady_clock::now(); }
  void SetRange(std::int64_t from, std::int64_t to);
  std::int64_t from() const { return progress_.from; }
  std::int64_t to() const { return progress_.to; }
  // Which steps were done: before any of the following.
  Status ReadSteps();
  bool WasDone(const Migration& migration, const MigrationStep& step) const;
  // The rows that steps of this kind have before them, for the progress.
  Status Count(const std::vector<const Migration*>& pending, PartKind kind);
  // FAILED_PRECONDITION where rows cannot be taken over, with their names; ABORTED where `progress` said no.
  Status RunAll(const Migration& migration, PartKind kind);
  MigrationReport Report();

 private:
  struct StepState {
    bool done = false;
    std::string checkpoint;
    std::int64_t rows = 0;
  };

  Status Run(const Migration& migration, const MigrationStep& step);
  Status RunScript(const Migration& migration, const MigrationStep& step);
  Status RunOutside(const Migration& migration, const MigrationStep& step);
  Status RunCopy(const Migration& migration, const MigrationStep& step);
  bool Tell(const Migration& migration, const MigrationStep& step);
  std::unique_ptr<Copier> CopierOf(const std::string& name);

  Session& session_;
  const MigratorOptions options_;
  std::map<std::string, StepState> steps_;  // by version, kind and name
  MigrationProgress progress_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace baton
