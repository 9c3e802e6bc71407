#include "schema/online/open_upgrade.h"

#include "orchestrator/base/errors.h"
#include "orchestrator/model/fleet/upgrade.h"
#include "schema/layouts.h"
#include "schema/migrator/control.h"
#include "schema/migrator/shipped.h"
#include "sql/session/session.h"

namespace baton {

Status OpenUpgrade(Session& session, const VersionMark& counts, MigratorOptions options) {
  const auto write = [&session, fence = options.fence](const std::function<void(Session&)>& body) -> Status {
    bool leads = false;
    const SessionError error = session.Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      leads = !fence || fence(s);
      if (leads) body(s);
      return leads;
    });
    if (!error.ok()) return Error{ErrorKind::kUnavailable, "the database did not take it (SQLSTATE " + error.sqlstate + ")", seconds(1)};
    if (!leads) return Error{ErrorKind::kAborted, kAnotherLeads, {}};
    return Done{};
  };
  if (counts.current <= kLegacyMigration) {
    // Before the copy starts: triggers log the writes of other programs while it runs.
    if (Status noted = write([](Session& s) { s.Run("MakeLegacyTriggers"); }); !noted) return noted;
    Status copied = Migrator(session, ShippedMigrations(), std::move(options)).Prepare();
    if (!copied) return copied;
  }
  const Migration& ours = ShippedMigrations().back();
  return write([&](Session& s) {
    MakeControlTables(s);
    s.Run("InsertUpgrade", {std::to_string(counts.current), counts.semver, std::to_string(ours.version), ours.semver,
                            std::string(Name(UpgradeState::kWaiting))});
  });
}

}  // namespace baton
