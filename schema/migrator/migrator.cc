#include "schema/migrator/migrator.h"

#include <algorithm>

#include "orchestrator/base/errors.h"
#include "schema/layouts.h"
#include "schema/migrator/control.h"
#include "schema/migrator/from_legacy.h"
#include "schema/migrator/shipped.h"
#include "schema/migrator/sql_copier.h"
#include "sql/session/session.h"

namespace baton {
namespace {

constexpr int kTries = 5;  // of a transaction that met a deadlock or waited for a lock in vain
constexpr std::size_t kNamesMax = 20;

std::string Number(std::int64_t n) { return std::to_string(n); }

std::string Key(std::int64_t version, PartKind kind, const std::string& name) {
  return Number(version) + " " + std::string(Name(kind)) + " " + name;
}

void Record(Session& s, const Migration& m, const MigrationStep& step, bool done, const std::string& checkpoint,
            std::int64_t rows) {
  s.Run("WriteMigrationStep", {Number(m.version), std::string(Name(step.kind)), step.name, done ? "true" : "false", checkpoint,
                      Number(rows)});
}

std::string List(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kNamesMax); ++i) list += "\n  " + names[i];
  if (names.size() > kNamesMax)
    list += "\n  and " + Number(static_cast<std::int64_t>(names.size() - kNamesMax)) + " more";
  return list;
}

std::vector<const Migration*> Between(const std::vector<Migration>& shipped, std::int64_t after, std::int64_t to) {
  std::vector<const Migration*> between;
  for (const Migration& m : shipped) {
    if (m.version > after && m.version <= to) between.push_back(&m);
  }
  return between;
}

double SecondsSince(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

}  // namespace

std::string Say(const MigrationProgress& p) {
  std::string text = "migrating the data from schema " + Number(p.from) + " to " + Number(p.to) + " (" + p.step + ")";
  const std::int64_t all = p.rows_done + p.rows_left;
  if (all <= 0) return text;
  text += ": " + Number(p.rows_done * 100 / all) + " %, " + Number(p.rows_done) + " rows done, " + Number(p.rows_left) +
          " left";
  if (p.rows_done > 0 && p.rows_left > 0) {
    text += ", about " + Number(static_cast<std::int64_t>(p.seconds * static_cast<double>(p.rows_left) /
                                                              static_cast<double>(p.rows_done) + 1)) + " s";
  }
  return text;
}

Migrator::Migrator(Session& session, const std::vector<Migration>& shipped, MigratorOptions options)
    : session_(session), shipped_(shipped), options_(std::move(options)) {}

Status Migrator::Within(const std::function<Status(Session&)>& body) {
  for (int tried = 1;; ++tried) {
    Status status = Done{};
    const SessionError error = session_.Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      if (options_.fence && !options_.fence(s)) {
        status = Error{ErrorKind::kAborted, kAnotherLeads, {}};
        return false;
      }
      status = body(s);
      return status.ok();
    });
    if (error.ok()) return status;
    if (error.fault == Fault::kTryAgain && tried < kTries) continue;
    if (error.sqlstate == kNoPrivilege) {
      return Error{ErrorKind::kFailedPrecondition,
                   "the migration did not go on: " + error.detail + ": give batond --database-owner with a role that may make and alter "
                   "tables (baton_migrator of schema/roles.sql)",
                   {}};
    }
    return Error{ErrorKind::kUnavailable, "the migration did not go on: " + error.detail, seconds(1)};
  }
}

Status Migrator::Create() {
  return Within([&](Session& s) -> Status {
    s.Run("LockMigrations");
    const Found found = LookAt(s);
    if (found.owner == Found::Owner::kBaton) return Done{};
    for (const Migration& migration : shipped_) {
      for (const std::string& statement : MakingStatements(migration)) s.RunScript(statement);
      s.Run("WriteMigration", {Number(migration.version), migration.file, migration.checksum});
    }
    MakeControlTables(s);
    s.Run("WriteVersions", {Number(shipped_.back().version), shipped_.back().semver});
    return Done{};
  });
}

// BEGIN and CONTINUE. Checks again under the lock: another migrator may have started since the first look.
Status Migrator::Begin(std::int64_t target, bool say_so) {
  return Within([&](Session& s) -> Status {
    s.Run("LockMigrations");
    MakeControlTables(s);
    const Rows versions = s.Run("LockVersions");
    progress_.from = versions[0].Int("current");
    progress_.to = target;
    if (progress_.from > target) {
      return Error{ErrorKind::kFailedPrecondition,
                   "the database has become one of schema " + Number(progress_.from) + " meanwhile; nothing was changed", {}};
    }
    if (say_so) s.Run("SetTarget", {Number(target)});
    return Done{};
  });
}

Status Migrator::ReadSteps() {
  return Within([&](Session& s) -> Status {
    steps_.clear();
    for (const auto& row : s.Run("ReadMigrationSteps")) {
      steps_[row.Text("version") + " " + row.Text("kind") + " " + row.Text("name")] = {row.Bool("done"), row.Text("checkpoint"),
                                                                                       row.Int("rows_done")};
    }
    return Done{};
  });
}

std::unique_ptr<Copier> Migrator::CopierOf(const std::string& name) {
  auto copier = options_.copier ? options_.copier(name) : nullptr;
  if (!copier) copier = LegacyCopierOf(name);
  return copier ? std::move(copier) : std::make_unique<SqlCopier>(name);
}

Status Migrator::Count(const std::vector<const Migration*>& pending, PartKind kind) {
  return Within([&](Session& s) -> Status {
    progress_.rows_left = 0;
    for (const Migration* m : pending) {
      for (const MigrationStep& step : m->Of(kind)) {
        const StepState& done = steps_[Key(m->version, kind, step.name)];
        if (!done.done) progress_.rows_left += CopierOf(step.name)->CountLeft(s, done.checkpoint);
      }
    }
    return Done{};
  });
}

bool Migrator::Tell(const Migration& migration, const MigrationStep& step) {
  progress_.step = Key(migration.version, step.kind, step.name);
  progress_.seconds = SecondsSince(began_);
  return !options_.progress || options_.progress(progress_);
}

Status Migrator::RunStep(const Migration& migration, const MigrationStep& step) {
  if (steps_[Key(migration.version, step.kind, step.name)].done) return Done{};
  if (!Tell(migration, step)) return Error{ErrorKind::kAborted, "it was asked to stop", {}};
  switch (step.kind) {
    case PartKind::kCopy:
    case PartKind::kDownCopy: return RunCopy(migration, step);
    case PartKind::kOutside: return RunOutside(migration, step);
    default: return RunScript(migration, step);
  }
}

Status Migrator::RunScript(const Migration& migration, const MigrationStep& step) {
  return Within([&](Session& s) -> Status {
    if (migration.version == kFromLegacy) RunFromLegacy(s, step);
    for (const std::string& statement : StatementsOf(step.sql)) s.RunScript(statement);
    Record(s, migration, step, true, "", 0);
    return Done{};
  });
}

// Checked by its effect: it has no transaction that could say whether it was done.
Status Migrator::RunOutside(const Migration& migration, const MigrationStep& step) {
  bool there = false;
  bool whole = false;
  const auto look = [&](Session& s) -> Status {
    const Rows state = s.Run("ReadIndexState", {step.name});
    there = !state.empty();
    whole = there && state[0].Bool();
    return Done{};
  };
  if (Status status = Within(look); !status) return status;
  std::vector<std::string> statements;
  if (there && !whole) statements.push_back("DROP INDEX CONCURRENTLY " + step.name);
  if (!whole) statements.push_back(step.sql);
  for (const std::string& statement : statements) {
    const SessionError error = session_.RunAlone(statement);
    if (!error.ok()) return Error{ErrorKind::kUnavailable, "the migration did not go on: " + error.detail, seconds(1)};
  }
  return Within([&](Session& s) -> Status {
    if (Status status = look(s); !status) return status;
    if (!whole) return Error{ErrorKind::kUnavailable, "index " + step.name + " did not become whole", seconds(1)};
    Record(s, migration, step, true, "", 0);
    return Done{};
  });
}

Status Migrator::RunCopy(const Migration& migration, const MigrationStep& step) {
  const auto copier = CopierOf(step.name);
  StepState& state = steps_[Key(migration.version, step.kind, step.name)];
  std::vector<std::string> faults;
  // The stored progress stays before the first row that could not be copied, although the search for more faults goes
  // on. A later run, after a kill too, meets that row again.
  StepState kept = state;
  while (!state.done) {
    CopyBatch batch;
    StepState next;
    const Status status = Within([&](Session& s) -> Status {
      batch = copier->Next(s, state.checkpoint, options_.batch);
      const bool clean = faults.empty() && batch.faults.empty();
      next = clean ? StepState{batch.done, batch.checkpoint, state.rows + batch.rows} : kept;
      Record(s, migration, step, next.done, next.checkpoint, next.rows);
      return Done{};
    });
    if (!status) return status;
    kept = next;
    state = {batch.done, batch.checkpoint, state.rows + batch.rows};
    faults.insert(faults.end(), batch.faults.begin(), batch.faults.end());
    progress_.rows_done += batch.rows;
    progress_.rows_left = std::max<std::int64_t>(0, progress_.rows_left - batch.rows);
    if (!Tell(migration, step)) return Error{ErrorKind::kAborted, "it was asked to stop", {}};
  }
  if (faults.empty()) return Done{};
  return Error{ErrorKind::kFailedPrecondition,
               "the migration cannot take over " + Number(static_cast<std::int64_t>(faults.size())) + " rows:" + List(faults),
               {}};
}

Status Migrator::RunAll(const Migration& migration, PartKind kind) {
  for (const MigrationStep& step : migration.Of(kind)) {
    if (Status status = RunStep(migration, step); !status) return status;
  }
  return Done{};
}

Status Migrator::End(const std::function<Status(Session&)>& also) {
  const Migration& ours = shipped_.back();
  return Within([&](Session& s) -> Status {
    s.Run("LockMigrations");
    const auto before = s.Run("LockVersions")[0].Int("current");
    for (const Migration* m : Between(shipped_, before, ours.version)) {
      s.Run("WriteMigration", {Number(m->version), m->file, m->checksum});
    }
    s.Run("SetCurrent", {Number(ours.version), ours.semver});
    s.Run("ForgetCopiesAfter", {Number(ours.version)});
    s.Run("ForgetRollback");
    for (const Migration& m : shipped_) s.Run("ForgetMigrationSteps", {Number(m.version), "{down-expand,down-copy}"});
    return also ? also(s) : Status(Done{});
  });
}

MigrationReport Migrator::Report() {
  MigrationReport report{
      .from = progress_.from, .to = progress_.to, .rows = progress_.rows_done, .seconds = SecondsSince(began_)};
  (void)Within([&](Session& s) -> Status {
    report.lrps = s.Run("CountLrps")[0].Int();
    return Done{};
  });
  return report;
}

Result<MigrationReport> Migrator::Up() {
  began_ = std::chrono::steady_clock::now();
  if (Status status = Begin(shipped_.back().version, /*say_so=*/true); !status) return status.error();
  if (Status status = FillTarget(); !status) return status.error();
  if (Status status = End(); !status) return status.error();
  const MigrationReport report = Report();
  if (Status status = Contract(); !status) return status.error();
  return report;
}

Status Migrator::Prepare() {
  began_ = std::chrono::steady_clock::now();
  if (Status status = Begin(shipped_.back().version, /*say_so=*/false); !status) return status;
  return FillTarget();
}

Status Migrator::EndBack(const UpgradeView& upgrade, const std::function<Status(Session&)>& also) {
  return Within([&](Session& s) -> Status {
    s.Run("LockMigrations");
    s.Run("LockVersions");
    for (const Migration* m : Between(shipped_, upgrade.source, upgrade.target)) s.Run("ForgetMigration", {Number(m->version)});
    s.Run("SetCurrent", {Number(upgrade.source), upgrade.source_semver});
    s.Run("ForgetRollback");
    return also(s);
  });
}

// Everything that `current` needs stays as it is.
Status Migrator::FillTarget() {
  if (Status status = ReadSteps(); !status) return status;
  // From 1.x the newest shape is made at once, and filled in one step.
  const auto pending = progress_.from <= kLegacyMigration ? std::vector{&FromLegacy()}
                                                    : Between(shipped_, progress_.from, progress_.to);
  for (const Migration* m : pending) {
    if (Status status = RunAll(*m, PartKind::kExpand); !status) return status;
  }
  if (Status status = Count(pending, PartKind::kCopy); !status) return status;
  for (const PartKind kind : {PartKind::kCopy, PartKind::kOutside}) {
    for (const Migration* m : pending) {
      if (Status status = RunAll(*m, kind); !status) return status;
    }
  }
  return Done{};
}

Status Migrator::Contract() {
  bool has_steps = false;
  const Status looked = Within([&](Session& s) -> Status {
    has_steps = s.Run("LookForTables")[0].Bool("has_steps");
    return Done{};
  });
  if (!looked) return looked;
  if (!has_steps) return Done{};
  if (Status status = ReadSteps(); !status) return status;
  std::vector<const Migration*> all = {&FromLegacy()};
  for (const Migration& m : shipped_) all.push_back(&m);
  for (const Migration* m : all) {
    // Only where its expand was ours to run: a new database was made whole at once.
    const bool migrated = std::ranges::any_of(m->Of(PartKind::kExpand), [&](const MigrationStep& step) {
      return steps_[Key(m->version, step.kind, step.name)].done;
    });
    if (!migrated) continue;
    if (Status status = RunAll(*m, PartKind::kContract); !status) return status;
  }
  return Done{};
}

Status Migrate(Session& session) {
  Found found;
  const SessionError looked = session.Transact(Session::Isolation::kSnapshotReadOnly,
                                               [&](Session& s) { return found = LookAt(s), true; });
  if (!looked.ok()) return DatabaseAway(looked.detail);
  const VersionVerdict verdict = Judge(found, ShippedMigrations(), {});
  if (verdict.duty == VersionDuty::kShutDown) return Error{ErrorKind::kFailedPrecondition, verdict.why, {}};
  Migrator migrator(session, ShippedMigrations(), {});
  Status status = Done{};
  if (MustMigrate(found, verdict)) {
    const auto report = migrator.Up();
    if (!report) status = report.error();
  } else {
    status = found.mark ? migrator.Contract() : migrator.Create();
  }
  if (!status) return status;
  // Not within the migration: a role that may not alter itself still gets a working database.
  (void)session.Transact(Session::Isolation::kReadCommitted, [](Session& s) { return s.Run("SetRoleTimeouts"), true; });
  return Done{};
}

}  // namespace baton
