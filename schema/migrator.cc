#include "schema/migrator.h"

#include "embedded_migrations.h"
#include "orchestrator/wire/hash.h"
#include "schema/version.h"
#include "sql/session.h"

namespace baton {
namespace {

Error Refuse(std::string message) { return Error{ErrorKind::kFailedPrecondition, std::move(message)}; }

struct Found {
  bool ours = false;
  std::int64_t current = 0;
  std::int64_t target = 0;
  std::int64_t foreign_tables = 0;
};

Found Look(Session& session) {
  Found found;
  found.ours = session.Run("VersionsTableExists")[0].Bool(0);
  if (!found.ours) {
    found.foreign_tables = session.Run("ForeignTables")[0].Int(0);
    return found;
  }
  const Rows rows = session.Run("ReadVersions");
  if (rows.empty()) return found;
  found.current = rows[0].Int(0);
  found.target = rows[0].Int(1);
  return found;
}

Status CompareChecksums(Session& session) {
  for (const auto& row : session.Run("ReadMigrations")) {
    for (const auto& file : migrations::Files()) {
      if (std::stoll(std::string(file.name)) != row.Int(0) || MigrationChecksum(file.text) == row.Text(1)) continue;
      return Refuse("migration " + std::string(file.name) +
                    " was changed after this database was made with it (stored "
                    "checksum " +
                    row.Text(1) + "): restore the shipped file");
    }
  }
  return Done{};
}

void Create(Session& session) {
  for (const auto& file : migrations::Files()) {
    session.RunScript(std::string(file.text));
    session.Run("WriteMigration", {std::to_string(std::stoll(std::string(file.name))), std::string(file.name),
                                   MigrationChecksum(file.text)});
  }
  session.Run("WriteVersions", {std::to_string(kSchemaMigration), kSchemaSemver});
}

Status MigrateLocked(Session& session) {
  const Found found = Look(session);
  if (found.ours) {
    if (found.current != kSchemaMigration || found.target != kSchemaMigration) {
      return Refuse("the database is of schema " + std::to_string(found.current) + " (target " +
                    std::to_string(found.target) + "), this program is built for " + std::to_string(kSchemaMigration) +
                    ": run the version that fits; nothing was changed");
    }
    return CompareChecksums(session);
  }
  if (found.foreign_tables > 0) {
    return Refuse("the database holds " + std::to_string(found.foreign_tables) +
                  " tables that are not Baton's: give Baton a database (or a schema on the search_path) of its own");
  }
  Create(session);
  return Done{};
}

}  // namespace

std::string MigrationChecksum(std::string_view text) { return wire::Sha256Hex(text); }

Status Migrate(Session& session) {
  Status status = Done{};
  SessionError error = session.Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.Run("LockMigrations");
    status = MigrateLocked(s);
    return status.ok();
  });
  if (error.ok() && status) {
    // Not within the migration: a role that may not alter itself still gets a working database.
    (void)session.Transact(Session::Isolation::kReadCommitted,
                           [](Session& s) { return s.Run("SetRoleTimeouts"), true; });
    return Done{};
  }
  if (!error.ok()) return Error{ErrorKind::kUnavailable, "the migration did not finish: " + error.detail, seconds(1)};
  return status;
}

}  // namespace baton
