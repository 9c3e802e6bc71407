// The way back: the same order, in the other direction, but for its end, which is one transaction: an older program
// could not go on with what it does not know.
#include <algorithm>

#include "schema/migrator/control.h"
#include "schema/migrator/migrator.h"
#include "sql/session/session.h"

namespace baton {
// Newest first; the sentences are the file's own.
Status Migrator::Lost(const std::vector<const Migration*>& back) {
  std::vector<std::string> lost;
  const Status looked = Within([&](Session& s) -> Status {
    for (const Migration* m : back) {
      for (const MigrationStep& step : m->Of(PartKind::kLoses)) {
        for (const auto& row : s.RunScript(step.sql)) lost.push_back(row.Text());
      }
    }
    return Done{};
  });
  if (!looked) return looked;
  if (lost.empty()) return Done{};
  std::string list;
  constexpr std::size_t kMax = 20;
  for (std::size_t i = 0; i < std::min(lost.size(), kMax); ++i) list += "\n  " + lost[i];
  if (lost.size() > kMax) list += "\n  and " + std::to_string(lost.size() - kMax) + " more";
  return FailedPrecondition("the way back would lose what the older schema cannot say; nothing was changed:" + list);
}

Result<MigrationReport> Migrator::Down(std::int64_t to) {
  began_ = std::chrono::steady_clock::now();
  const auto target = std::ranges::find(shipped_, to, &Migration::version);
  if (target == shipped_.end())
    return FailedPrecondition("there is no schema " + std::to_string(to) + " to go back to");
  std::vector<const Migration*> back;
  for (const Migration& m : shipped_) {
    if (m.version > to) back.insert(back.begin(), &m);
  }
  for (const Migration* m : back) {
    if (!m->HasDown()) return FailedPrecondition("there is no way back from schema " + std::to_string(m->version));
  }
  if (Status status = Lost(back); !status) return status.error();
  const Status begun = Within([&](Session& s) -> Status {
    s.Run("LockMigrations");
    MakeControlTables(s);
    const std::int64_t current = s.Run("LockVersions")[0].Int("current");
    if (current != shipped_.back().version)
      return FailedPrecondition("the database is of schema " + std::to_string(current));
    progress_.from = current;
    progress_.to = to;
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
  if (!begun) return begun.error();
  if (Status status = ReadSteps(); !status) return status.error();
  for (const Migration* m : back) {
    if (Status status = RunAll(*m, PartKind::kDownExpand); !status) return status.error();
  }
  if (Status status = Count(back, PartKind::kDownCopy); !status) return status.error();
  for (const Migration* m : back) {
    if (Status status = RunAll(*m, PartKind::kDownCopy); !status) return status.error();
  }
  if (Status status = EndDown(back, *target); !status) return status.error();
  return Report();
}

Status Migrator::EndDown(const std::vector<const Migration*>& back, const Migration& to) {
  return Within([&](Session& s) -> Status {
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
