#include "tools/batond/prepare.h"

#include <algorithm>

#include "orchestrator/base/errors.h"
#include "schema/memory.h"
#include "schema/migrator/control.h"
#include "schema/migrator/migrator.h"
#include "schema/migrator/shipped.h"
#include "schema/roles.h"
#include "schema/verdict.h"
#include "sql/session/database_url.h"
#include "sql/session/session.h"
#include "sql/session/statements.h"

namespace baton::batond {
namespace {

constexpr Duration kConnectWaitMin = milliseconds(100);
constexpr Duration kConnectWaitMax = seconds(2);

// Two clients of PgBouncer in transaction mode are given the same backend one after the other; of their own, never.
Status CheckSessions(Session& first, const std::string& url) {
  const auto second = Session::Open(url);
  if (!second) return second.error();
  std::string pids[2];
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 2; ++i) {
      const SessionError error = (i == 0 ? first : **second)
                                     .Transact(Session::Isolation::kReadCommitted,
                                               [&](Session& s) {
                                                 // Not prepared: on a shared backend it would be there already.
                                                 pids[i] = s.RunScript(Statement("ReadBackend"))[0].Text();
                                                 return true;
                                               });
      if (!error.ok()) return DatabaseAway(error.detail);
    }
    if (pids[0] != pids[1]) continue;
    return Error{ErrorKind::kFailedPrecondition,
                 "two connections share one backend of PostgreSQL (process " + pids[0] +
                     "): a pooler is in between and mixes sessions (PgBouncer: pool_mode = transaction or statement). "
                     "Baton prepares statements; give it pool_mode = session, or PostgreSQL itself",
                 {}};
  }
  return Done{};
}

const std::string& OwnerOf(const PrepareOptions& options) { return options.owner.empty() ? options.url : options.owner; }

// Cells that know the one that was lost go on with this one, and epochs beyond whatever anybody has seen of it.
SessionError Accept(Session& session, const Found& found, const std::optional<StoreMemory>& lost) {
  const std::int64_t seen = std::max(found.lost_epoch, lost ? lost->epoch : 0);
  return session.Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    MakeControlTables(s);
    s.Run("ForgetLostEpochs");
    if (lost && !lost->store_id.empty()) s.Run("AcceptStore", {lost->store_id});
    if (seen > 0) s.Run("RaiseEpoch", {"batond", std::to_string(seen + 1)});
    return true;
  });
}

Status SettleRoles(const PrepareOptions& options) {
  if (options.superuser.empty()) return Done{};
  const auto superuser = Session::Open(options.superuser);
  if (!superuser) return superuser.error();
  const SessionError made = MakeRoles(**superuser);
  if (made.ok()) return Done{};
  // Somebody else holds a table, or the connection ended: the same again may pass. All else stays as it is.
  if (made.fault != Fault::kConstraint && made.fault != Fault::kOther) return DatabaseAway(made.detail);
  return Error{ErrorKind::kFailedPrecondition, "the roles of the database cannot be made (schema/roles.sql): " + made.detail, {}};
}

Status Prepare(const PrepareOptions& options, Log& log) {
  const MemoryFile file(options.state_file);
  auto memory = file.Read();
  if (!memory && !options.accept_store) return memory.error();
  if (Status roles = SettleRoles(options); !roles) return roles;
  const auto session = Session::Open(options.url);
  if (!session) return session.error();
  if (Status sessions = CheckSessions(**session, options.url); !sessions) return sessions;
  Found found;
  const SessionError looked = (*session)->Transact(Session::Isolation::kSnapshotReadOnly,
                                                   [&](Session& s) { return found = LookAt(s), true; });
  if (!looked.ok()) return DatabaseAway(looked.detail);
  if (options.upgrade_after_rollback && found.rollback == RollbackMark::kEnded) {
    const SessionError forgotten = (*session)->Transact(Session::Isolation::kReadCommitted,
                                                        [](Session& s) { return s.Run("ForgetRollback"), true; });
    if (!forgotten.ok()) return DatabaseAway(forgotten.detail);
    found.rollback = RollbackMark::kNone;
  }
  const std::optional<StoreMemory> remembered = memory ? *memory : std::nullopt;
  Found judged = found;
  if (options.accept_store) judged.lost_epoch = 0;
  const VersionVerdict verdict =
      Judge(judged, ShippedMigrations(), options.accept_store ? std::nullopt : remembered);
  if (verdict.duty == VersionDuty::kShutDown) return Error{ErrorKind::kFailedPrecondition, verdict.why, {}};
  if (!found.mark) {
    const auto owner = Session::Open(OwnerOf(options));
    if (!owner) return owner.error();
    Migrator migrator(**owner, ShippedMigrations(), {});
    if (Status made = migrator.Create(); !made) return made;
    if (Status roles = SettleRoles(options); !roles) return roles;
    log.Info("database_made", {{"schema", ShippedMigrations().back().semver}});
  }
  // Not within the migration: a role that may not alter itself still gets a working database.
  (void)(*session)->Transact(Session::Isolation::kReadCommitted, [](Session& s) { return s.Run("SetRoleTimeouts"), true; });
  if (!options.accept_store) return Done{};
  const auto owner = Session::Open(OwnerOf(options));
  if (!owner) return owner.error();
  const SessionError accepted = Accept(**owner, found, remembered);
  if (!accepted.ok()) return DatabaseAway(accepted.detail);
  log.Warn("store_accepted", {{"remembered", remembered ? remembered->store_id : ""},
                              {"remembered_epoch", remembered ? remembered->epoch : 0},
                              {"cells_epoch", found.lost_epoch}});
  return file.Forget();
}

}  // namespace

Status PrepareDatabase(const PrepareOptions& options, Log& log, const std::function<bool(Duration)>& stopped) {
  for (Duration wait = kConnectWaitMin;; wait = std::min(wait * 2, kConnectWaitMax)) {
    const Status ready = Prepare(options, log);
    if (ready || ready.error().kind != ErrorKind::kUnavailable) return ready;
    log.Warn("database_away", {{"error", ready.error().message}, {"again_in_ms", Millis(wait)}});
    if (stopped(wait)) return ready;
  }
}

Status CheckDatabases(ServiceOptions& options, bool insecure) {
  for (const auto& [url, option] : {std::pair(&options.database, "--database"), {&options.database_owner, "--database-owner"}}) {
    if (url->empty()) continue;
    auto checked = CheckedDatabase(*url, insecure, option);
    if (!checked) return checked.error();
    *url = *std::move(checked);
  }
  return Done{};
}

}  // namespace baton::batond
