#include "schema/online/pg_upgrade.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "orchestrator/base/errors.h"
#include "orchestrator/model/semver.h"
#include "schema/layouts.h"
#include "schema/migrator/migrator.h"
#include "schema/migrator/shipped.h"

namespace baton {
namespace {

// What callers are told of it; PostgreSQL's words hold SQL and values, and are the log's.
std::string StateOf(const SessionError& error) { return error.sqlstate.empty() ? "" : " (SQLSTATE " + error.sqlstate + ")"; }

constexpr int kShardsUsual = 16;
constexpr int kTakenOverAtOnce = 200;  // apps

std::string Ours() { return ShippedMigrations().back().semver; }

std::string SayState(const UpgradeView& upgrade) { return "the upgrade is " + std::string(Name(upgrade.state)); }

}  // namespace

PgUpgrade::PgUpgrade(const std::string& url, const std::string& owner, const Cipher& cipher, WriteGate& gate, Log& log, Hooks hooks)
    : gate_(gate), log_(log), hooks_(std::move(hooks)), session_(url, cipher), owner_(owner.empty() ? url : owner, cipher) {}

bool PgUpgrade::TwoLayouts(const UpgradeView& upgrade) const { return upgrade.source <= kLegacyMigration; }

DualWriter* PgUpgrade::DualWriterOf(const UpgradeView& upgrade) {
  const bool wanted = SourceCounts(upgrade.state) ||
                      (upgrade.state != UpgradeState::kNone && upgrade.keep_old);
  return wanted && TwoLayouts(upgrade) ? &legacy_ : nullptr;
}

void PgUpgrade::Tell(const UpgradeView& upgrade, bool known) {
  const bool old_counts = SourceCounts(upgrade.state);
  hooks_.mode({.state = upgrade.state,
               .semver = old_counts ? upgrade.source_semver : Ours(),
               .source_semver = upgrade.source_semver,
               .target_semver = Ours(),
               .one_definition = (old_counts || !known) && TwoLayouts(upgrade)});
  told_ = known ? std::optional(upgrade.state) : std::nullopt;
}

Status PgUpgrade::Read(const std::function<void(Session&)>& body) {
  const auto session = session_.Get();
  if (!session) return session.error();
  const SessionError error =
      (*session)->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) { return body(s), true; });
  if (error.ok()) return Done{};
  log_.Warn("read_failed", {{"sqlstate", error.sqlstate}, {"error", error.detail}});
  return Error{ErrorKind::kUnavailable, "the database did not answer the read" + StateOf(error), seconds(1)};
}

Status PgUpgrade::Write(const std::function<Status(Session&)>& body) {
  const auto session = owner_.Get();
  if (!session) return session.error();
  Status status = Done{};
  const SessionError error = (*session)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    if (s.Run("Fence", {leadership_.name, std::to_string(leadership_.epoch)}).empty()) {
      status = Error{ErrorKind::kAborted, kAnotherLeads, seconds(1)};
      return false;
    }
    status = body(s);
    return status.ok();
  });
  if (error.ok()) return status;
  log_.Warn("write_failed", {{"sqlstate", error.sqlstate}, {"error", error.detail}});
  return Error{ErrorKind::kUnavailable, "the database did not take it" + StateOf(error), seconds(1)};
}

Result<UpgradeView> PgUpgrade::ReadRecord() {
  UpgradeView record;
  const Status read = Read([&](Session& s) {
    if (auto found = ReadUpgrade(s)) {
      record = *std::move(found);
      ReadShards(s, record);
    }
  });
  if (!read) return read.error();
  return record;
}

Result<UpgradeView> PgUpgrade::Record() {
  auto record = ReadRecord();
  if (record && record->state != UpgradeState::kNone && record->target != ShippedMigrations().back().version) {
    return FailedPrecondition("the upgrade that is open is one to schema " + record->target_semver +
                              ", and this batond is built for " + Ours() + ": only one of " + record->target_semver +
                              " can go on with it");
  }
  if (record && told_ != record->state) GoBy(*record);
  return record;
}

// Also where the answer to a commit of ours was lost: what it did is met here. Until then both layouts are kept in step, as
// they were before it.
void PgUpgrade::GoBy(const UpgradeView& record) {
  WriteGate::Stop(gate_, "the upgrade went on").SetDualWriter(DualWriterOf(record));
  Tell(record);
}

Error PgUpgrade::WritesDoNotEnd() {
  return {ErrorKind::kAborted, "a write that is under way does not end; writes go on, and it is to be tried again", seconds(1)};
}

// By the law, and only from where it still is.
Status PgUpgrade::Move(UpgradeView& upgrade, UpgradeEvent event, const std::function<void(Session&)>& also) {
  const auto next = Advance(upgrade.state, event);
  if (!next) return FailedPrecondition(SayState(upgrade) + ": " + std::string(Name(event)) + " means nothing there");
  const Status moved = Write([&](Session& s) -> Status {
    const auto now = LockUpgrade(s);
    if (!now || now->state != upgrade.state) return Error{ErrorKind::kAborted, "the upgrade went on meanwhile", seconds(1)};
    UpgradeView written = upgrade;
    written.state = *next;
    WriteUpgrade(s, written);
    if (also) also(s);
    return Done{};
  });
  if (!moved) return moved;
  log_.Info("upgrade", {{"state", Name(*next)}, {"before", Name(upgrade.state)}, {"by", Name(event)}});
  upgrade.state = *next;
  Tell(upgrade);
  return Done{};
}

void PgUpgrade::StandBy() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock) (void)ReadRecord();
}

Status PgUpgrade::Lead(const Leadership& leadership) {
  const std::lock_guard lock(mutex_);
  leadership_ = {leadership.name, leadership.epoch};
  cursor_ = {};
  auto record = ReadRecord();
  if (!record) return record.error();
  // A newer one's: the layout that counts is this program's own.
  if (record->target != ShippedMigrations().back().version) record = UpgradeView();
  if (record->state != UpgradeState::kNone && TwoLayouts(*record)) {
    std::map<int, std::vector<std::string>> faults;
    // Others may go on writing: as long as it gets fewer.
    for (std::size_t before = std::numeric_limits<std::size_t>::max(), left = before - 1;
         left > 0 && left < before && faults.empty();) {
      const auto more = CatchUp(*record, kTakenOverAtOnce, Origin::kAny, faults);
      if (!more) return more.error();
      before = std::exchange(left, *more);
    }
    for (const auto& [shard, lines] : faults) log_.Error("upgrade_fault", {{"shard", shard}, {"fault", lines.front()}});
  }
  GoBy(*record);
  return Done{};
}

Result<UpgradeView> PgUpgrade::Look() {
  const std::lock_guard lock(mutex_);
  auto record = Record();
  if (!record) return record;
  if (record->state == UpgradeState::kNone) {
    owner_.Close();
    record->source_semver = record->target_semver = Ours();
  }
  record->both_in_step = DualWriterOf(*record) != nullptr;
  if (cursor_.shard >= 0 && Syncs(record->state)) {
    UpgradeShard& shard = record->shards.at(static_cast<std::size_t>(cursor_.shard));
    const std::int64_t done = std::min(shard.rows_left, cursor_.rows_done);
    shard.rows_left -= done;
    record->rows_left -= done;
  }
  return record;
}

Status PgUpgrade::Begin(const UpgradeWish& wish) {
  const std::lock_guard lock(mutex_);
  auto record = Record();
  if (!record) return record.error();
  if (!wish.target.empty() && wish.target != Ours()) {
    const auto wanted = Semver::Parse(wish.target);
    if (!wanted) return Error{ErrorKind::kInvalidArgument, "target: '" + wish.target + "' is no version A.B.C", {}};
    return Error{ErrorKind::kInvalidArgument,
                 "target: this batond is built for schema " + Ours() + ", not " + wish.target +
                     ": one version after the other, each by its own batond",
                 {}};
  }
  if (wish.shards < 0 || wish.shards > kShardsMax) {
    return Error{ErrorKind::kInvalidArgument, "shards: 1 to " + std::to_string(kShardsMax), {}};
  }
  if (record->state == UpgradeState::kNone) {
    return FailedPrecondition("the data is of schema " + Ours() + " already, and no upgrade is open");
  }
  const bool begun = record->state != UpgradeState::kWaiting;
  if (begun && wish.shards != 0 && wish.shards != static_cast<int>(record->shards.size())) {
    return FailedPrecondition(SayState(*record) + " with " + std::to_string(record->shards.size()) +
                              " shards: give --shards " + std::to_string(record->shards.size()) +
                              ", or take it back first (baton admin rollback)");
  }
  if (begun && wish.keep_old && !record->keep_old) {
    return FailedPrecondition(
        SayState(*record) + " without --keep-old-in-sync" +
        (SourceCounts(record->state) ? ": take it back first (baton admin rollback), and begin anew" : ""));
  }
  if (!Advance(record->state, UpgradeEvent::kBegin)) return Done{};  // the same again
  if (begun) {  // the way back is given up
    std::int64_t current = 0;
    if (Status read = Read([&](Session& db) { current = db.Run("ReadVersions")[0].Int("current"); }); !read) return read;
    if (current != record->target) {
      return Error{ErrorKind::kAborted, "the way back is at its end: look again in a moment", seconds(1)};
    }
    return Move(*record, UpgradeEvent::kBegin, [&](Session& s) {
      if (TwoLayouts(*record)) s.Run("TrackOwnChanges", {"f"});
    });
  }
  record->shards.assign(static_cast<std::size_t>(wish.shards > 0 ? wish.shards : kShardsUsual), {});
  record->keep_old = wish.keep_old;
  record->write_stop_ms = 0;
  cursor_ = {};
  Status begun_now = Done{};
  {
    // Writes that are under way would not be noted.
    const WriteGate::Stop stop(gate_, "the upgrade begins", kStopMax);
    if (!stop) return WritesDoNotEnd();
    begun_now = Move(*record, UpgradeEvent::kBegin, [&](Session& s) {
      s.Run("DeleteUpgradeShards");
      s.Run("InsertUpgradeShards",
            {std::to_string(record->target), std::to_string(record->shards.size()), "SYNCING"});
      s.Run("SetTarget", {std::to_string(record->target)});
      if (TwoLayouts(*record)) s.Run("TrackOwnChanges", {"t"});
    });
  }
  return begun_now ? CountShards(*record) : begun_now;
}

// It says how much is left, no more; it takes as long as there is much: not while writes stop.
Status PgUpgrade::CountShards(const UpgradeView& upgrade) {
  if (!TwoLayouts(upgrade)) return Done{};
  return Write([&](Session& s) -> Status {
    s.Run("CountLegacyShards", {std::to_string(upgrade.shards.size())});
    return Done{};
  });
}

Status PgUpgrade::RollBack() {
  const std::lock_guard lock(mutex_);
  auto record = Record();
  if (!record) return record.error();
  cursor_ = {};
  switch (record->state) {
    case UpgradeState::kNone: return FailedPrecondition("no upgrade is open");
    case UpgradeState::kWaiting:
    case UpgradeState::kSyncingBack:
    case UpgradeState::kSwitchingBack: return Done{};  // the same again
    case UpgradeState::kSyncing:
    case UpgradeState::kSwitching:
      return Move(*record, UpgradeEvent::kRollBack, [&](Session& s) {
        s.Run("SetTarget", {std::to_string(record->source)});
        if (TwoLayouts(*record)) s.Run("TrackOwnChanges", {"f"});
      });
    case UpgradeState::kSwitched: break;
  }
  if (TwoLayouts(*record) && !record->keep_old) {
    return FailedPrecondition(
        "the data of schema " + record->source_semver +
        " was not kept in step (begin-upgrade --keep-old-in-sync): what was written since the switch would be lost");
  }
  Status begun = Done{};
  {
    const WriteGate::Stop stop(gate_, "the way back begins", kStopMax);
    if (!stop) return WritesDoNotEnd();
    begun = Move(*record, UpgradeEvent::kRollBack, [&](Session& s) {
      s.Run("ResetUpgradeShards", {"SYNCING"});
      if (TwoLayouts(*record)) s.Run("TrackOwnChanges", {"t"});
    });
  }
  return begun ? CountShards(*record) : begun;
}

Status PgUpgrade::Finish() {
  const std::lock_guard lock(mutex_);
  auto record = Record();
  if (!record) return record.error();
  if (record->state == UpgradeState::kNone) return Contract();  // the same again, also where that failed
  if (!Advance(record->state, UpgradeEvent::kFinish)) {
    return FailedPrecondition(SayState(*record) + ": only one that is SWITCHED can be finished");
  }
  {
    WriteGate::Stop stop(gate_, "the upgrade ends", kStopMax);
    if (!stop) return WritesDoNotEnd();
    const Status ended = Write([&](Session& s) -> Status {
      const auto now = LockUpgrade(s);
      if (!now || now->state != record->state) return Error{ErrorKind::kAborted, "it went on meanwhile", seconds(1)};
      s.Run("DeleteUpgrade");
      s.Run("DeleteUpgradeShards");
      return Done{};
    });
    if (!ended) return ended;
    stop.SetDualWriter(nullptr);
  }
  record->state = UpgradeState::kNone;
  log_.Info("upgrade", {{"state", Name(record->state)}, {"by", Name(UpgradeEvent::kFinish)}});
  Tell(*record);
  return Contract();
}

MigratorOptions PgUpgrade::Fenced() const {
  return {.fence = [this](Session& s) {
    return !s.Run("Fence", {leadership_.name, std::to_string(leadership_.epoch)}).empty();
  }};
}

Status PgUpgrade::Contract() {
  const auto session = owner_.Get();
  if (!session) return session.error();
  return Migrator(**session, ShippedMigrations(), Fenced()).Contract();
}

Result<bool> PgUpgrade::Step(int rows_max) {
  const std::lock_guard lock(mutex_);
  auto record = Record();
  if (!record) return record.error();
  // The previous leader died while writes were stopped. Writes resume, and the switch starts over.
  if (Switches(record->state)) {
    if (Status again = Move(*record, UpgradeEvent::kGiveUp); !again) return again.error();
  }
  if (Syncs(record->state)) return Sync(*record, rows_max);
  if (record->state == UpgradeState::kNone || !DualWriterOf(*record)) return false;
  std::map<int, std::vector<std::string>> faults;
  const auto left = CatchUp(*record, kTakenOverAtOnce, Origin::kAny, faults);
  if (!left) return left.error();
  if (!faults.empty()) return FailedPrecondition(faults.begin()->second.front());
  return *left > 0;
}

}  // namespace baton
