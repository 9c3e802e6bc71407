#include "schema/migrator/schema_rollback.h"

#include <algorithm>

#include "orchestrator/base/errors.h"
#include "schema/migrator/control.h"
#include "sql/session/session.h"

namespace baton {

// The sentences are the file's own.
Status SchemaRollback::CheckLosses(const Migrations& back) {
  std::vector<std::string> lost;
  const Status looked = runner_.Within([&](Session& s) -> Status {
    for (const Migration* m : back) {
      for (const MigrationStep& step : m->Of(PartKind::kLoses)) {
        for (const auto& row : s.RunScript(step.sql)) lost.push_back(row.Text());
      }
    }
    return Done{};
  });
  if (!looked) return looked;
  if (lost.empty()) return Done{};
  return FailedPrecondition("the way back would lose what the older schema cannot say; nothing was changed:" +
                            Listed(lost));
}

Status SchemaRollback::Begin(const Migrations& back, std::int64_t to) {
  return runner_.Within([&](Session& s) -> Status {
    s.Run("LockMigrations");
    MakeControlTables(s);
    const std::int64_t current = s.Run("LockVersions")[0].Int("current");
    if (current != shipped_.back().version)
      return FailedPrecondition("the database is of schema " + std::to_string(current));
    runner_.SetRange(current, to);
    s.Run("SetTarget", {std::to_string(to)});
    s.Run("BeginRollback", {std::to_string(current)});
    for (const Migration* m : back) {
      if (m->Of(PartKind::kDownExpand).empty()) continue;
      // Were it given up, what its expand undoes of a contract has to be done again.
      s.Run("ForgetMigrationSteps", {std::to_string(m->version), "{contract}"});
      for (const MigrationStep& step : m->Of(PartKind::kExpand)) {
        s.Run("WriteMigrationStep", {std::to_string(m->version), std::string(Name(step.kind)), step.name, "true", "", "0"});
      }
    }
    return Done{};
  });
}

Result<MigrationReport> SchemaRollback::Run(std::int64_t to) {
  runner_.Start();
  const auto target = std::ranges::find(shipped_, to, &Migration::version);
  if (target == shipped_.end())
    return FailedPrecondition("there is no schema " + std::to_string(to) + " to go back to");
  Migrations back;
  for (const Migration& m : shipped_) {
    if (m.version > to) back.insert(back.begin(), &m);
  }
  for (const Migration* m : back) {
    if (!m->HasDown()) return FailedPrecondition("there is no way back from schema " + std::to_string(m->version));
  }
  if (Status status = CheckLosses(back); !status) return status.error();
  if (Status status = Begin(back, to); !status) return status.error();
  if (Status status = runner_.ReadSteps(); !status) return status.error();
  for (const Migration* m : back) {
    if (Status status = runner_.RunAll(*m, PartKind::kDownExpand); !status) return status.error();
  }
  if (Status status = runner_.Count(back, PartKind::kDownCopy); !status) return status.error();
  for (const Migration* m : back) {
    if (Status status = runner_.RunAll(*m, PartKind::kDownCopy); !status) return status.error();
  }
  if (Status status = End(back, *target); !status) return status.error();
  return runner_.Report();
}

Status SchemaRollback::End(const Migrations& back, const Migration& to) {
  return runner_.Within([&](Session& s) -> Status {
    s.Run("LockMigrations");
    s.Run("LockVersions");
    for (const Migration* m : back) {
      for (const MigrationStep& step : m->Of(PartKind::kDownContract)) {
        for (const std::string& statement : StatementsOf(step.sql)) s.RunScript(statement);
      }
      s.Run("ForgetMigration", {std::to_string(m->version)});
      s.Run("ForgetMigrationSteps", {std::to_string(m->version), "{expand,copy,outside,contract,down-expand,down-copy}"});
    }
    // Whatever text it once had, its shape is that of the shipped one now.
    s.Run("WriteMigration", {std::to_string(to.version), to.file, to.checksum});
    s.Run("SetCurrent", {std::to_string(to.version), to.semver});
    s.Run("EndRollback");
    return Done{};
  });
}

}  // namespace baton
