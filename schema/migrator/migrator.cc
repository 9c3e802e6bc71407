#include "schema/migrator/migrator.h"

#include <algorithm>

#include "orchestrator/base/errors.h"
#include "schema/layouts.h"
#include "schema/migrator/control.h"
#include "schema/migrator/from_legacy.h"
#include "schema/migrator/schema_rollback.h"
#include "schema/migrator/shipped.h"
#include "sql/session/session.h"

namespace baton {
namespace {

std::string Number(std::int64_t n) { return std::to_string(n); }

std::vector<const Migration*> Between(const std::vector<Migration>& shipped, std::int64_t after, std::int64_t to) {
  std::vector<const Migration*> between;
  for (const Migration& m : shipped) {
    if (m.version > after && m.version <= to) between.push_back(&m);
  }
  return between;
}

}  // namespace

Migrator::Migrator(Session& session, const std::vector<Migration>& shipped, MigratorOptions options)
    : shipped_(shipped), runner_(session, std::move(options)) {}

Status Migrator::Create() {
  return runner_.Within([&](Session& s) -> Status {
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
  return runner_.Within([&](Session& s) -> Status {
    s.Run("LockMigrations");
    MakeControlTables(s);
    const Rows versions = s.Run("LockVersions");
    runner_.SetRange(versions[0].Int("current"), target);
    if (runner_.from() > target) {
      return Error{
          ErrorKind::kFailedPrecondition,
          "the database has become one of schema " + Number(runner_.from()) + " meanwhile; nothing was changed",
          {}};
    }
    if (say_so) s.Run("SetTarget", {Number(target)});
    return Done{};
  });
}

Status Migrator::End(const std::function<Status(Session&)>& also) {
  const Migration& ours = shipped_.back();
  return runner_.Within([&](Session& s) -> Status {
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

Result<MigrationReport> Migrator::Up() {
  runner_.Start();
  if (Status status = Begin(shipped_.back().version, /*say_so=*/true); !status) return status.error();
  if (Status status = FillTarget(); !status) return status.error();
  if (Status status = End(); !status) return status.error();
  const MigrationReport report = runner_.Report();
  if (Status status = Contract(); !status) return status.error();
  return report;
}

Status Migrator::Prepare() {
  runner_.Start();
  if (Status status = Begin(shipped_.back().version, /*say_so=*/false); !status) return status;
  return FillTarget();
}

Status Migrator::EndBack(const UpgradeView& upgrade, const std::function<Status(Session&)>& also) {
  return runner_.Within([&](Session& s) -> Status {
    s.Run("LockMigrations");
    s.Run("LockVersions");
    for (const Migration* m : Between(shipped_, upgrade.source, upgrade.target))
      s.Run("ForgetMigration", {Number(m->version)});
    s.Run("SetCurrent", {Number(upgrade.source), upgrade.source_semver});
    s.Run("ForgetRollback");
    return also(s);
  });
}

// Everything that `current` needs stays as it is.
Status Migrator::FillTarget() {
  if (Status status = runner_.ReadSteps(); !status) return status;
  // From 1.x the newest shape is made at once, and filled in one step.
  const auto pending =
      runner_.from() <= kLegacyMigration ? std::vector{&FromLegacy()} : Between(shipped_, runner_.from(), runner_.to());
  for (const Migration* m : pending) {
    if (Status status = runner_.RunAll(*m, PartKind::kExpand); !status) return status;
  }
  if (Status status = runner_.Count(pending, PartKind::kCopy); !status) return status;
  for (const PartKind kind : {PartKind::kCopy, PartKind::kOutside}) {
    for (const Migration* m : pending) {
      if (Status status = runner_.RunAll(*m, kind); !status) return status;
    }
  }
  return Done{};
}

Status Migrator::Contract() {
  bool has_steps = false;
  const Status looked = runner_.Within([&](Session& s) -> Status {
    has_steps = s.Run("LookForTables")[0].Bool("has_steps");
    return Done{};
  });
  if (!looked) return looked;
  if (!has_steps) return Done{};
  if (Status status = runner_.ReadSteps(); !status) return status;
  std::vector<const Migration*> all = {&FromLegacy()};
  for (const Migration& m : shipped_) all.push_back(&m);
  for (const Migration* m : all) {
    // Only where its expand was ours to run: a new database was made whole at once.
    const bool migrated = std::ranges::any_of(m->Of(PartKind::kExpand),
                                              [&](const MigrationStep& step) { return runner_.WasDone(*m, step); });
    if (!migrated) continue;
    if (Status status = runner_.RunAll(*m, PartKind::kContract); !status) return status;
  }
  return Done{};
}

Result<MigrationReport> Migrator::Down(std::int64_t to) { return SchemaRollback(runner_, shipped_).Run(to); }

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
