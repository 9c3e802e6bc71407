#include "schema/found.h"

#include "schema/layouts.h"
#include "schema/online/record.h"
#include "sql/session/session.h"

namespace baton {
namespace {

Found::Owner OwnerOf(bool ours, bool diegos, std::int64_t tables) {
  if (ours) return Found::Owner::kBaton;
  if (diegos) return Found::Owner::kDiego;
  return tables > 0 ? Found::Owner::kOther : Found::Owner::kNobody;
}

std::optional<std::int64_t> UnfinishedAdoption(Session& session) {
  if (!session.Run("AdoptionTableExists")[0].Bool()) return std::nullopt;
  const Rows unfinished = session.Run("ReadUnfinishedAdoption");
  if (unfinished.empty()) return std::nullopt;
  return unfinished[0].Int();
}

}  // namespace

Found LookAt(Session& session) {
  Found found;
  const Rows looked = session.Run("LookForTables");
  const auto tables = looked[0];
  found.tables = tables.Int("tables");
  found.owner = OwnerOf(tables.Bool("has_versions"), tables.Bool("has_diego"), found.tables);
  found.has_schema = tables.Bool("has_schema");
  found.in_recovery = tables.Bool("in_recovery");
  if (found.owner != Found::Owner::kBaton) return found;
  for (const auto& row : session.Run("ReadVersions")) {
    found.mark = VersionMark{row.Int("current"), row.Int("target"), row.Text("current_semver")};
  }
  if (found.mark && found.mark->current <= kLegacyMigration) found.adopted_so_far = UnfinishedAdoption(session);
  for (const auto& row : session.Run("ReadMigrations")) found.applied[row.Int("version")] = {row.Text("name"), row.Text("checksum")};
  if (tables.Bool("has_leases")) found.epoch = session.Run("ReadHighestEpoch")[0].Int();
  found.upgrade = ReadUpgrade(session);
  found.copy_begun = session.Run("LegacyWritesAreNoted")[0].Bool();
  if (!tables.Bool("has_store")) return found;
  for (const auto& row : session.Run("ReadStore")) {
    found.store.id = row.Text("store_id");
    found.rollback_from = row.Int("rollback_from");
    if (found.rollback_from > 0) found.rollback = row.Bool("rollback_done") ? RollbackMark::kEnded : RollbackMark::kBegun;
  }
  if (tables.Bool("has_lost_epochs")) found.lost_epoch = session.Run("ReadLostEpoch")[0].Int();
  if (!tables.Bool("has_accepted_stores")) return found;
  for (const auto& row : session.Run("ReadAcceptedStores")) found.store.accepted.push_back(row.Text());
  return found;
}

}  // namespace baton
