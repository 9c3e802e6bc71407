#include "schema/verdict.h"

#include "orchestrator/model/semver.h"
#include "orchestrator/model/version.h"
#include "schema/layouts.h"
#include "schema/migrator/shipped.h"
#include "schema/online/law.h"

namespace baton {
namespace {

std::string Say(std::int64_t version) { return std::to_string(version); }

std::string NotOurs(const Found& found) {
  if (found.in_recovery) return "the database is a replica (pg_is_in_recovery): give Baton the primary";
  if (!found.has_schema) return "no schema of the search_path exists: create it, or give Baton another search_path";
  if (found.owner == Found::Owner::kDiego) {
    return "the database holds the tables of Diego's BBS: adopt it into a database of Baton's own by `baton admin adopt`";
  }
  if (found.owner == Found::Owner::kOther) {
    return "the database holds " + Say(found.tables) +
           " tables that are not Baton's: give Baton a database (or a schema on the search_path) of its own";
  }
  if (found.owner == Found::Owner::kBaton && !found.mark) {
    return "the table `versions` has no row: somebody has emptied it; restore the database from a backup";
  }
  return {};
}

std::string Changed(const Found& found, const std::vector<Migration>& shipped) {
  for (const Migration& migration : shipped) {
    const auto applied = found.applied.find(migration.version);
    if (applied == found.applied.end() || IsTextOf(migration, applied->second.checksum)) continue;
    return "migration " + migration.file + " was changed after this database was made with it (stored checksum " +
           applied->second.checksum + "): restore the shipped file";
  }
  return {};
}

std::string Lost(const Found& found, const std::optional<StoreMemory>& memory) {
  const std::string tail =
      "; nothing was changed. Restore the right one, or accept this one by starting once with --accept-store";
  if (found.lost_epoch > 0) {
    return "the store has gone back: its cells have obeyed a leader of epoch " + Say(found.lost_epoch) +
           ", of which it knows nothing (was it restored from a backup?)" + tail;
  }
  if (!memory) return {};
  if (!found.mark) {
    return "the database is empty, but this batond remembers one of schema " + Say(memory->version) + " (epoch " +
           Say(memory->epoch) + "): the store was lost, or this is another" + tail;
  }
  if (found.store.id != memory->store_id && !memory->store_id.empty()) {
    return "this is another store (" + (found.store.id.empty() ? "of a time before they had names" : found.store.id) +
           ") than the one that this batond remembers (" + memory->store_id + ")" + tail;
  }
  if (found.epoch < memory->epoch) {
    return "the store has gone back: its last leader had epoch " + Say(found.epoch) + ", this batond remembers " +
           Say(memory->epoch) + " (was it restored from a backup?)" + tail;
  }
  // Unless others have led since, or an online upgrade was rolled back: they may have taken it back, and said so.
  if (!found.upgrade && found.mark->current < memory->version && found.rollback == RollbackMark::kNone && found.epoch == memory->epoch) {
    return "the store has gone back: it is of schema " + Say(found.mark->current) + ", this batond remembers " +
           Say(memory->version) + " (was it restored from a backup?)" + tail;
  }
  return {};
}

// What is not taken over yet would be lost: the migration ends with the legacy tables.
std::string BeingAdopted(const Found& found) {
  if (!found.adopted_so_far) return {};
  return "a Diego database is being adopted into this one, and that is not finished (" + Say(*found.adopted_so_far) +
         " apps so far): give the same `baton admin adopt` again until it ends, then start this program; nothing was "
         "changed";
}

// Standbys of the version that was taken back would go forward again at once.
std::string TakenBack(const Found& found, const Migration& ours) {
  if (found.upgrade || found.rollback != RollbackMark::kEnded || found.rollback_from != ours.version) return {};
  return "the data was taken back from schema " + Say(ours.version) + " to " + Say(found.mark->current) +
         " on purpose: run the older version, or start this one once with --upgrade-after-rollback; nothing was changed";
}

// One after the other: the next begins with what this one leaves. Of a newer one the older layout may be served, where it is
// served as it is: not where that takes a working copy of the newer one's.
std::string Unfinished(const Found& found, const Migration& ours) {
  if (!found.upgrade || found.upgrade->target == ours.version) return {};
  const UpgradeView& upgrade = *found.upgrade;
  if (upgrade.target > ours.version && SourceCounts(upgrade.state) && upgrade.source > kLegacyMigration) return {};
  return "an online upgrade to schema " + found.upgrade->target_semver + " is " + std::string(Name(found.upgrade->state)) +
         " and not finished: finish it with a batond of that schema (baton admin upgrade-status, finish-upgrade), then "
         "start this one, which is built for " + ours.semver + "; nothing was changed";
}

// In the law's words, for people.
std::string Refusal(const VersionMark& mark, const Migration& ours) {
  return "the database is of schema " + Say(mark.current) + " (" + mark.semver + ", target " + Say(mark.target) +
         "), this program is built for " + Say(ours.version) + " (" + ours.semver +
         "): run the version that fits; nothing was changed";
}

}  // namespace

VersionVerdict Judge(const Found& found, const std::vector<Migration>& shipped,
                     const std::optional<StoreMemory>& memory) {
  const auto refuse = [](std::string why) { return VersionVerdict{VersionDuty::kShutDown, std::move(why)}; };
  if (std::string why = NotOurs(found); !why.empty()) return refuse(std::move(why));
  if (std::string why = Lost(found, memory); !why.empty()) return refuse(std::move(why));
  if (std::string why = BeingAdopted(found); !why.empty()) return refuse(std::move(why));
  const Migration& ours = shipped.back();
  if (std::string why = Unfinished(found, ours); !why.empty()) return refuse(std::move(why));
  const auto duty = Advance(VersionDuty::kCheck, FactOf(found.mark, found.rollback, ours.version));
  if (*duty == VersionDuty::kShutDown) return refuse(Refusal(*found.mark, ours));
  if (*duty == VersionDuty::kBegin) {
    if (std::string why = TakenBack(found, ours); !why.empty()) return refuse(std::move(why));
  }
  if (std::string why = Changed(found, shipped); !why.empty()) return refuse(std::move(why));
  if (*duty == VersionDuty::kServe) {
    const auto schema = Semver::Parse(found.mark->semver);
    if (!schema || !Serves(*Semver::Parse(kSchemaServedFrom), *schema)) {
      return refuse("the schema calls itself " + found.mark->semver + ", this program serves " + kSchemaServedFrom +
                    " and later of the same major: run the version that fits; nothing was changed");
    }
  }
  if ((*duty == VersionDuty::kBegin || *duty == VersionDuty::kContinue) && !found.applied.contains(found.mark->current)) {
    return refuse("the database says that it is of schema " + Say(found.mark->current) +
                  ", but not that the migration to it was applied: restore it from a backup; nothing was changed");
  }
  return {*duty, {}};
}

}  // namespace baton
