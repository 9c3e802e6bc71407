#include "tools/batond/version_keeper.h"

#include <algorithm>

#include "orchestrator/base/errors.h"
#include "orchestrator/model/semver.h"
#include "orchestrator/model/version.h"
#include "schema/layouts.h"
#include "schema/migrator/control.h"
#include "schema/migrator/shipped.h"
#include "schema/online/law.h"
#include "schema/online/open_upgrade.h"
#include "schema/verdict.h"
#include "sql/session/session.h"

namespace baton::batond {
namespace {

constexpr Duration kRetryMin = milliseconds(100);
constexpr Duration kRetryMax = seconds(5);
constexpr Duration kLogInterval = seconds(5);

Result<Found> LookAtIt(Session& session) {
  Found found;
  const SessionError error = session.Transact(Session::Isolation::kSnapshotReadOnly,
                                              [&](Session& s) { return found = LookAt(s), true; });
  if (!error.ok()) return DatabaseAway(error.detail);
  return found;
}

// Whether this program can work on it as it is: through a working copy, or because it is compatible.
bool ServedFrom(const Found& found) {
  if (found.mark->current <= kLegacyMigration) return true;
  const auto schema = Semver::Parse(found.mark->semver);
  return schema && Serves(*Semver::Parse(kSchemaServedFrom), *schema);
}

// Whether the record says of the data what it is. Not where a program that knows no such record has migrated it meanwhile,
// or taken it back.
bool Agree(const Found& found) {
  const UpgradeView& upgrade = *found.upgrade;
  // The last step of a way back between two minor versions is two transactions.
  if (Switches(upgrade.state) || upgrade.state == UpgradeState::kSyncingBack) {
    return found.mark->current == upgrade.source || found.mark->current == upgrade.target;
  }
  return found.mark->current == (SourceCounts(upgrade.state) ? upgrade.source : upgrade.target);
}

std::string NotServedOnline(const Found& found) {
  return "the data is of schema " + found.mark->semver + ", and this program can serve 1.x and " +
         std::string(kSchemaServedFrom) +
         " and later as they are: upgrade to one in between first, or start it without --upgrade online, which migrates "
         "before it serves; nothing was changed";
}

}  // namespace

VersionKeeper::VersionKeeper(std::string url, std::string owner, std::string lease, MemoryFile memory, bool online,
                             Log& log, Metrics& metrics, Answers answers)
    : url_(std::move(url)), owner_(owner.empty() ? url_ : std::move(owner)), lease_(std::move(lease)),
      memory_(std::move(memory)), online_(online), log_(log), metrics_(metrics), answers_(std::move(answers)),
      retry_(kRetryMin), ticker_(
                             Ticker::kUntilWoken, [this] { return Tick(); }, [this] { session_.reset(); }) {}

VersionKeeper::~VersionKeeper() = default;

void VersionKeeper::Check(std::int64_t epoch) {
  const std::lock_guard lock(mutex_);
  epoch_ = epoch;
  ticker_.Wake();
}

// Who may make tables is connected no longer than that takes, where it is another role.
void VersionKeeper::StandBy() {
  if (owner_ != url_) return;
  const std::lock_guard lock(mutex_);
  stands_by_ = true;
  ticker_.Wake();
}

void VersionKeeper::Witness(std::int64_t epoch, std::int64_t later) {
  const std::lock_guard lock(mutex_);
  // Said again and again, it makes no wait between two tries shorter.
  if (!later_) ticker_.Wake();
  later_ = Later{epoch, std::max(later, later_ && later_->own == epoch ? later_->theirs : 0)};
}

void VersionKeeper::Drop() {
  const std::lock_guard lock(mutex_);
  epoch_.reset();
  later_.reset();
  ticker_.Wake();
}

bool VersionKeeper::Wanted(std::int64_t epoch) {
  const std::lock_guard lock(mutex_);
  return !ticker_.stopping() && epoch_ == epoch;
}

Ticker::Wait VersionKeeper::Tick() {
  std::unique_lock lock(mutex_);
  const auto epoch = epoch_;
  const auto later = later_;
  const bool stands_by = std::exchange(stands_by_, false);
  lock.unlock();
  if (!epoch && !later && !stands_by) return Ticker::kUntilWoken;
  if (!session_ || session_->Ended()) {
    auto opened = Session::Open(owner_);
    if (!opened) log_.Warn("database_away", {{"error", opened.error().message}});
    session_ = opened ? *std::move(opened) : nullptr;
  }
  if (!epoch && !later) {
    if (session_) (void)LookAtIt(*session_);  // its statements are prepared, too
    return Ticker::kUntilWoken;
  }
  const bool kept = session_ && (epoch ? Keep(*session_, *epoch) : Believe(*session_, *later));
  if (!kept) return retry_ = std::min(retry_ * 2, kRetryMax);
  retry_ = kRetryMin;
  session_.reset();
  lock.lock();
  if (epoch && epoch_ == epoch) epoch_.reset();
  if (!epoch && later_ == later) later_.reset();
  return Ticker::Wait(0);
}

// Whoever leads later has the last word, and its fence: only a database in which nobody did has gone back. That is written
// into it: the next batond has not met the cell, and its epoch may be as high as the cell's.
bool VersionKeeper::Believe(Session& session, const Later& later) {
  const auto found = LookAtIt(session);
  if (!found) return log_.Warn("version_not_read", {{"error", found.error().message}}), false;
  if (found->epoch >= later.theirs || !found->mark) return true;
  bool leads = false;
  const SessionError error = session.Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    leads = !s.Run("Fence", {lease_, std::to_string(later.own)}).empty();
    if (!leads) return false;
    MakeControlTables(s);
    s.Run("WriteLostEpoch", {std::to_string(later.theirs)});
    return true;
  });
  if (!error.ok()) return log_.Warn("lost_epoch_not_written", {{"error", error.detail}}), false;
  if (!leads) return true;
  Found gone_back = *found;
  gone_back.lost_epoch = later.theirs;
  answers_.may_not_serve(later.own, Judge(gone_back, ShippedMigrations(), std::nullopt).why);
  return true;
}

bool VersionKeeper::Keep(Session& session, std::int64_t epoch) {
  const auto memory = memory_.Read();
  if (!memory) return answers_.may_not_serve(epoch, memory.error().message), true;
  const auto found = LookAtIt(session);
  if (!found) return log_.Warn("version_not_read", {{"error", found.error().message}}), false;
  const VersionVerdict verdict = Judge(*found, ShippedMigrations(), *memory);
  if (verdict.duty == VersionDuty::kShutDown) return answers_.may_not_serve(epoch, verdict.why), true;
  const bool older = found->mark && found->mark->current < ShippedMigrations().back().version;
  if (found->upgrade && !Agree(*found)) return Forget(session, epoch, *found), false;
  // What others wrote since the working copy was begun is taken over online alone.
  const bool online = online_ || found->copy_begun;
  if ((found->upgrade && found->upgrade->target == ShippedMigrations().back().version) ||
      (!found->upgrade && online && older && MustMigrate(*found, verdict))) {
    if (!ServedFrom(*found)) return answers_.may_not_serve(epoch, NotServedOnline(*found)), true;
    if (!PrepareOnline(session, epoch, *found)) return false;
  } else if (MustMigrate(*found, verdict)) {
    TellMustMigrate(epoch, *found, std::string(Name(verdict.duty)));
    if (!Migrate(session, epoch, /*only_contract=*/false)) return false;
  } else if (!Migrate(session, epoch, /*only_contract=*/true)) {
    return false;
  }
  const auto store = Remember(session, epoch);
  if (!store) return false;
  // Also where only an earlier try of this epoch found something to migrate: who was told of it, waits for its end.
  told_ == epoch ? answers_.migrated(epoch, *store) : answers_.may_serve(epoch, *store);
  return true;
}

// The data is right, whatever the record says.
void VersionKeeper::Forget(Session& session, std::int64_t epoch, const Found& found) {
  log_.Warn("upgrade_record_forgotten", {{"state", Name(found.upgrade->state)},
                                         {"source", found.upgrade->source},
                                         {"target", found.upgrade->target},
                                         {"current", found.mark->current}});
  const SessionError error = session.Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    if (!Wanted(epoch) || s.Run("Fence", {lease_, std::to_string(epoch)}).empty()) return false;
    s.Run("DeleteUpgrade");
    return true;
  });
  if (!error.ok()) log_.Warn("upgrade_record_not_forgotten", {{"error", error.detail}});
}

void VersionKeeper::TellMustMigrate(std::int64_t epoch, const Found& found, const std::string& duty) {
  if (std::exchange(told_, epoch) == epoch) return;
  log_.Info("migration", {{"duty", duty}, {"from", found.mark->current}, {"to", ShippedMigrations().back().version}});
  answers_.must_migrate(epoch);
}

MigratorOptions VersionKeeper::OptionsFor(std::int64_t epoch) {
  MigratorOptions options;
  options.fence = [this, epoch](Session& s) {
    return Wanted(epoch) && !s.Run("Fence", {lease_, std::to_string(epoch)}).empty();
  };
  options.progress = [this, epoch](const MigrationProgress& progress) {
    Tell(progress);
    return Wanted(epoch);
  };
  return options;
}

// Until the layout that this program works on is there beside the one that counts; then the record says that it may begin.
bool VersionKeeper::PrepareOnline(Session& session, std::int64_t epoch, const Found& found) {
  Status status = Done{};
  if (found.mark->current == ShippedMigrations().back().version) {
    // A way back that was under way is given up; it begins anew.
    if (found.mark->target < found.mark->current) {
      status = Migrator(session, ShippedMigrations(), OptionsFor(epoch)).End();
    }
  } else if (!found.upgrade) {
    if (found.mark->current <= kLegacyMigration) TellMustMigrate(epoch, found, "PREPARE");
    status = OpenUpgrade(session, *found.mark, OptionsFor(epoch));
  }
  if (status) return true;
  log_.Error("migration_failed", {{"error", status.error().message}});
  answers_.progress("the working copy of the data is not made: " + status.error().message);
  return false;
}

bool VersionKeeper::Migrate(Session& session, std::int64_t epoch, bool only_contract) {
  Migrator migrator(session, ShippedMigrations(), OptionsFor(epoch));
  Status status = Done{};
  if (only_contract) {
    status = migrator.Contract();
  } else if (const auto report = migrator.Up(); report) {
    log_.Info("migrated", {{"from", report->from},
                           {"to", report->to},
                           {"rows", report->rows},
                           {"lrps", report->lrps},
                           {"seconds", report->seconds},
                           {"ms_per_1000_lrps", report->MsPerThousandLrps()}});
    metrics_.Set("baton_migration_rows_left", 0);
  } else {
    status = report.error();
  }
  if (status) return true;
  log_.Error("migration_failed", {{"error", status.error().message}});
  if (!only_contract) answers_.progress("the migration of the data does not go on: " + status.error().message);
  return false;
}

void VersionKeeper::Tell(const MigrationProgress& progress) {
  metrics_.Set("baton_migration_rows_done", static_cast<double>(progress.rows_done));
  metrics_.Set("baton_migration_rows_left", static_cast<double>(progress.rows_left));
  answers_.progress(Say(progress));
  const auto now = std::chrono::steady_clock::now();
  if (now - logged_ < kLogInterval) return;
  logged_ = now;
  log_.Info("migrating", {{"step", progress.step},
                          {"rows_done", progress.rows_done},
                          {"rows_left", progress.rows_left},
                          {"seconds", progress.seconds}});
}

// What cannot be written is said, and no reason not to serve.
std::optional<StoreIdentity> VersionKeeper::Remember(Session& session, std::int64_t epoch) {
  const auto found = LookAtIt(session);
  if (!found || !found->mark) return std::nullopt;
  if (const Status written = memory_.Write({found->store.id, found->mark->current, epoch}); !written) {
    log_.Error("state_file_not_written", {{"error", written.error().message}});
  }
  return found->store;
}

void VersionKeeper::Note(std::int64_t epoch, const DataMode& data) {
  if (data.state != UpgradeState::kSwitched && data.state != UpgradeState::kWaiting) return;
  const auto session = Session::Open(url_);
  if (session) (void)Remember(**session, epoch);
}

Status VersionKeeper::RollBack(std::int64_t epoch, std::int64_t to) {
  const auto session = Session::Open(owner_);
  if (!session) return session.error();
  const auto found = LookAtIt(**session);
  if (!found) return found.error();
  if (found->upgrade) {
    return Error{ErrorKind::kFailedPrecondition,
                 "an online upgrade is " + std::string(Name(found->upgrade->state)) +
                     ": end it first (baton admin finish-upgrade), or go back by it (baton admin rollback); nothing was changed",
                 {}};
  }
  MigratorOptions options;
  options.fence = [this, epoch](Session& s) { return !s.Run("Fence", {lease_, std::to_string(epoch)}).empty(); };
  options.progress = [this](const MigrationProgress& progress) { return Tell(progress), true; };
  const auto report = Migrator(**session, ShippedMigrations(), std::move(options)).Down(to);
  if (!report) return report.error();
  log_.Info("rolled_back", {{"from", report->from}, {"to", report->to}, {"seconds", report->seconds}});
  (void)Remember(**session, epoch);
  return Done{};
}

Result<VersionDuty> VersionKeeper::Look() {
  const auto memory = memory_.Read();
  if (!memory) return memory.error();
  if (!looker_ || looker_->broken()) {
    auto opened = Session::Open(url_);
    if (!opened) return opened.error();
    looker_ = *std::move(opened);
  }
  const auto found = LookAtIt(*looker_);
  if (!found) return found.error();
  const VersionVerdict verdict = Judge(*found, ShippedMigrations(), *memory);
  if (found->upgrade && verdict.duty != VersionDuty::kShutDown) return VersionDuty::kServe;
  if (verdict.duty == VersionDuty::kShutDown) return Error{ErrorKind::kFailedPrecondition, verdict.why, {}};
  return verdict.duty;
}

}  // namespace baton::batond
