#include "schema/found.h"

#include "schema/layouts.h"
#include "schema/online/record.h"
#include "sql/session.h"

namespace baton {
namespace {

Found::Whose WhoseIs(bool ours, bool diegos, std::int64_t tables) {
  if (ours) return Found::Whose::kOurs;
  if (diegos) return Found::Whose::kDiegos;
  return tables > 0 ? Found::Whose::kSomebodys : Found::Whose::kNobodys;
}

std::optional<std::int64_t> UnfinishedAdoption(Session& session) {
  if (!session.Run("AdoptionTableExists")[0].Bool(0)) return std::nullopt;
  const Rows unfinished = session.Run("ReadUnfinishedAdoption");
  if (unfinished.empty()) return std::nullopt;
  return unfinished[0].Int(0);
}

}  // namespace

Found LookAt(Session& session) {
  Found found;
  const Rows looked = session.Run("LookForTables");
  const auto tables = looked[0];
  found.tables = tables.Int(5);
  found.whose = WhoseIs(tables.Bool(0), tables.Bool(4), found.tables);
  found.has_schema = tables.Bool(6);
  found.in_recovery = tables.Bool(7);
  if (found.whose != Found::Whose::kOurs) return found;
  for (const auto& row : session.Run("ReadVersions")) found.mark = VersionMark{row.Int(0), row.Int(1), row.Text(2)};
  if (found.mark && found.mark->current <= kLegacyMigration) found.adopted_so_far = UnfinishedAdoption(session);
  for (const auto& row : session.Run("ReadMigrations")) found.applied[row.Int(0)] = {row.Text(1), row.Text(2)};
  if (tables.Bool(3)) found.epoch = session.Run("ReadHighestEpoch")[0].Int(0);
  found.upgrade = ReadUpgrade(session);
  found.copy_begun = session.Run("LegacyWritesAreNoted")[0].Bool(0);
  if (!tables.Bool(1)) return found;
  for (const auto& row : session.Run("ReadStore")) {
    found.store.id = row.Text(0);
    found.rollback_from = row.Int(1);
    if (found.rollback_from > 0) found.rollback = row.Bool(2) ? RollbackMark::kEnded : RollbackMark::kBegun;
  }
  if (tables.Bool(9)) found.lost_epoch = session.Run("ReadLostEpoch")[0].Int(0);
  if (!tables.Bool(8)) return found;
  for (const auto& row : session.Run("ReadAcceptedStores")) found.store.accepted.push_back(row.Text(0));
  return found;
}

}  // namespace baton
