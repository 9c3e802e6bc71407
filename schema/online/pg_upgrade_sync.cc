// The work of an online upgrade: shard by shard both layouts are compared, each page in one snapshot, beside all writes;
// then writes stop for as long as it takes to compare what was written since.
#include <algorithm>
#include <utility>

#include "schema/layouts.h"
#include "schema/legacy/compare.h"
#include "schema/legacy/take_over.h"
#include "schema/migrator/migrator.h"
#include "schema/migrator/shipped.h"
#include "schema/online/pg_upgrade.h"
#include "sql/read/app_reader.h"
#include "sql/session/array.h"

namespace baton {
namespace {

constexpr int kRowsOfAnApp = 6;  // about: pages are counted in rows, and read in apps
constexpr std::size_t kFewApps = 200;      // to compare while writes stop
constexpr auto kStepMax = milliseconds(500);
constexpr auto kRetryFailed = seconds(3);
constexpr std::size_t kFaultsKept = 3;

std::string Apps(const std::vector<ProcessGuid>& apps) {
  ArrayParam array;
  for (const ProcessGuid& app : apps) array.Text(app.str());
  return array.str();
}

std::string Joined(const std::vector<std::string>& faults) {
  std::string text;
  for (std::size_t i = 0; i < std::min(faults.size(), kFaultsKept); ++i) text += (i == 0 ? "" : "; ") + faults[i];
  if (faults.size() > kFaultsKept) text += "; and " + std::to_string(faults.size() - kFaultsKept) + " more";
  return text;
}

// Another program may write an app again between two looks at it; that it does each time is not likely.
constexpr int kWrittenAnewMost = 5;

// Whether all that others have committed to the older layout was taken over. Then none of them commits before this
// transaction ends: what they write later is written to a layout that does not count.
bool HoldsWriters(Session& session) {
  const SessionError held = session.Savepoint([](Session& s) { s.Run("HoldLegacyWriters"); });
  return held.ok() && session.Run("CountWrittenApps", {"f"})[0].Int() == 0;
}

}  // namespace

void PgUpgrade::Cursor::Take(std::vector<std::string> more) {
  faults.insert(faults.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// Rewrites the other layout from the authoritative one.
Status PgUpgrade::Mend(const UpgradeView& upgrade, const std::vector<ProcessGuid>& apps,
                       std::vector<std::string>& faults) {
  const bool old_counts = SourceCounts(upgrade.state);
  const Status mended = Write([&](Session& s) -> Status {
    if (old_counts) return TakeOver(s, apps, faults), Done{};
    const LoadedApps loaded = LoadApps(s, {.apps = apps, .lock = AppLoad::Lock::kInstancesToo});
    BatchChanges batch;
    for (const auto& [guid, state] : loaded.apps) {
      if (loaded.broken.contains(guid)) continue;
      BatchChanges::One& one = batch.apps[guid];
      one.after = &state;
      one.changes.desired = true;
      one.changes.events.push_back({.kind = EventKind::kDesiredCreated});  // rewrites the whole app
    }
    s.Run("TakeLegacyChangesOf", {Apps(apps)});
    legacy_.Write(s, batch, {apps.begin(), apps.end()});
    return Done{};
  });
  if (mended && old_counts) {
    for (const ProcessGuid& app : apps) hooks_.taken_over(app);
  }
  return mended;
}

Status PgUpgrade::CheckApps(const UpgradeView& upgrade, const std::vector<ProcessGuid>& apps,
                            std::vector<std::string>& faults) {
  Compared compared;
  const auto compare = [&](const std::vector<ProcessGuid>& which) {
    return Read([&](Session& s) { compared = CompareShapes(s, which); });
  };
  if (Status read = compare(apps); !read) return read;
  faults.insert(faults.end(), compared.faults.begin(), compared.faults.end());
  for (int times = 0; times < kWrittenAnewMost && !compared.differing.empty(); ++times) {
    const std::vector<ProcessGuid> differing = compared.differing;
    const std::size_t before = faults.size();
    if (Status mended = Mend(upgrade, differing, faults); !mended) return mended;
    if (faults.size() > before) return Done{};  // said already, by name
    if (Status read = compare(differing); !read) return read;
  }
  for (const ProcessGuid& app : compared.differing) {
    faults.push_back(app.str() + ": the two layouts say different things of it, also after it was written anew");
  }
  return Done{};
}

Result<std::size_t> PgUpgrade::CatchUp(const UpgradeView& upgrade, int apps_max, Origin origin,
                                       std::map<int, std::vector<std::string>>& faults) {
  std::vector<ProcessGuid> written;
  std::map<ProcessGuid, int> shard_of;
  std::vector<ProcessGuid> foreign;
  std::map<ProcessGuid, std::string> marks;
  std::size_t left = 0;
  const std::string shards = std::to_string(std::max<std::size_t>(1, upgrade.shards.size()));
  const Status read = Read([&](Session& s) {
    for (const auto row :
         s.Run("ListWrittenApps", {std::to_string(apps_max), shards, origin == Origin::kExternal ? "t" : "f"})) {
      const ProcessGuid app(row.Text("process_guid"));
      written.push_back(app);
      if (row.Bool("foreign_write")) foreign.push_back(app);
      marks[app] = row.Text("mark");
      shard_of[app] = static_cast<int>(row.Int("shard"));
    }
  });
  if (!read) return read.error();
  if (written.empty()) return std::size_t{0};
  std::vector<std::string> lines;
  if (!foreign.empty()) {
    log_.Warn("upgrade_foreign_writes", {{"apps", foreign.size()}, {"first", foreign.front().str()}});
    if (Status mended = Mend(upgrade, foreign, lines); !mended) return mended.error();
  }
  if (Status checked = CheckApps(upgrade, written, lines); !checked) return checked.error();
  // A fault begins with the name of its app.
  const auto faulty = [&](const ProcessGuid& app) {
    return std::ranges::any_of(lines, [&](const std::string& line) { return line.starts_with(app.str() + ":"); });
  };
  for (const std::string& line : lines) {
    const auto shard = shard_of.find(ProcessGuid(line.substr(0, line.find(':'))));
    faults[shard == shard_of.end() ? 0 : shard->second].push_back(line);
  }
  std::erase_if(marks, [&](const auto& mark) { return faulty(mark.first); });
  if (Status forgotten = Forget(marks); !forgotten) return forgotten.error();
  const Status counted = Read([&](Session& s) {
    left = static_cast<std::size_t>(s.Run("CountWrittenApps", {origin == Origin::kExternal ? "t" : "f"})[0].Int());
  });
  if (!counted) return counted.error();
  return left;
}

// Unless they were written again since.
Status PgUpgrade::Forget(const std::map<ProcessGuid, std::string>& marks) {
  if (marks.empty()) return Done{};
  ArrayParam apps;
  ArrayParam as_read;
  for (const auto& [app, mark] : marks) {
    apps.Text(app.str());
    as_read.Text(mark);
  }
  return Write([&](Session& s) -> Status {
    s.Run("ForgetWrittenApps", {apps.str(), as_read.str()});
    return Done{};
  });
}

Status PgUpgrade::SyncPage(UpgradeView& upgrade, UpgradeShard& shard, int rows_max) {
  const int apps_max = std::max(1, rows_max / kRowsOfAnApp);
  std::vector<ProcessGuid> apps;
  Compared compared;
  std::map<ProcessGuid, std::string> marks;
  const Status read = Read([&](Session& s) {
    for (const auto row : s.Run("ListShardApps", {std::to_string(upgrade.shards.size()), std::to_string(shard.shard),
                                                  cursor_.after.str(), std::to_string(apps_max)})) {
      apps.emplace_back(row.Text());
    }
    compared = CompareShapes(s, apps);
    for (const auto row : s.Run("ListMarksOf", {Apps(apps)}))
      marks[ProcessGuid(row.Text("process_guid"))] = row.Text("mark");
  });
  if (!read) return read;
  // On a fault the app is unknown: what was written stays to be compared.
  if (compared.faults.empty()) {
    for (const ProcessGuid& app : compared.differing) marks.erase(app);
    cursor_.compared.merge(marks);
  }
  cursor_.Take(std::move(compared.faults));
  if (!compared.differing.empty()) {
    std::vector<std::string> faults;
    if (Status checked = CheckApps(upgrade, compared.differing, faults); !checked) return checked;
    cursor_.Take(std::move(faults));
  }
  cursor_.rows_done += compared.lrps + static_cast<std::int64_t>(apps.size());
  if (!apps.empty()) cursor_.after = apps.back();
  if (apps.size() == static_cast<std::size_t>(apps_max)) return Done{};
  shard.ready = cursor_.faults.empty();
  shard.reason = Joined(cursor_.faults);
  shard.rows_left = shard.ready ? 0 : shard.rows_left;
  if (!shard.ready) log_.Error("upgrade_shard_failed", {{"shard", shard.shard}, {"reason", shard.reason}});
  const Status written = Write([&](Session& s) -> Status { return WriteShard(s, shard), Done{}; });
  const auto seen = std::exchange(cursor_, {}).compared;
  return written ? Forget(seen) : written;
}

// Both programs work on one layout: what the newer one needs beside is made, and filled.
Status PgUpgrade::Prepare(UpgradeView& upgrade) {
  if (upgrade.state == UpgradeState::kSyncing) {
    const auto session = owner_.Get();
    if (!session) return session.error();
    const auto until = Steady::now() + kStepMax;
    bool enough = false;
    MigratorOptions options = Fenced();
    options.progress = [&](const MigrationProgress&) { return !(enough = Steady::now() >= until); };
    const Status prepared = Migrator(**session, ShippedMigrations(), std::move(options)).Prepare();
    if (!prepared) return enough ? Status(Done{}) : prepared;
  }
  return Write([&](Session& s) -> Status {
    for (UpgradeShard& shard : upgrade.shards) {
      shard.ready = true;
      WriteShard(s, shard);
    }
    return Done{};
  });
}

Result<bool> PgUpgrade::Sync(UpgradeView& upgrade, int rows_max) {
  const auto open = [&](bool failed) {
    return std::ranges::find_if(
        upgrade.shards, [&](const UpgradeShard& shard) { return !shard.ready && shard.reason.empty() == !failed; });
  };
  if (!TwoLayouts(upgrade)) {
    if (Status prepared = Prepare(upgrade); !prepared) return prepared.error();
    if (open(false) != upgrade.shards.end()) return true;
  } else {
    std::map<int, std::vector<std::string>> faults;
    // What we write is compared once, at the end: much of it is before its page, and some again and again.
    const Origin origin = open(false) == upgrade.shards.end() ? Origin::kAny : Origin::kExternal;
    const auto left = CatchUp(upgrade, static_cast<int>(kFewApps), origin, faults);
    if (!left) return left.error();
    for (auto& [number, lines] : faults) {
      UpgradeShard& shard = upgrade.shards.at(static_cast<std::size_t>(number));
      if (!shard.ready && !shard.reason.empty()) continue;
      shard.ready = false;
      shard.reason = Joined(lines);
      if (Status w = Write([&](Session& s) -> Status { return WriteShard(s, shard), Done{}; }); !w) return w.error();
    }
    auto next = cursor_.shard >= 0 ? upgrade.shards.begin() + cursor_.shard : open(false);
    if (next == upgrade.shards.end() && Steady::now() >= retry_failed_) {
      next = open(true);
      retry_failed_ = Steady::now() + kRetryFailed;
    }
    if (next != upgrade.shards.end()) {
      cursor_.shard = next->shard;
      if (Status page = SyncPage(upgrade, *next, rows_max); !page) return page.error();
      return true;
    }
    if (open(true) != upgrade.shards.end()) return false;
    if (*left > kFewApps) return true;
  }
  if (Status switched = SwitchOver(upgrade); !switched) return switched.error();
  return false;
}

Status PgUpgrade::SwitchOver(UpgradeView& upgrade) {
  if (Status moved = Move(upgrade, UpgradeEvent::kAllReady, [](Session& s) { s.Run("ResetUpgradeShards", {"SWITCHING"}); });
      !moved) {
    return moved;
  }
  const auto began = Steady::now();
  Status switched = Done{};
  {
    WriteGate::Stop stop(
        gate_,
        "the data is being switched to schema " +
            (upgrade.state == UpgradeState::kSwitching ? upgrade.target_semver : upgrade.source_semver) +
            ": writes stop for a moment, reads go on",
        kStopMax);
    switched = stop ? SwitchStopped(upgrade, began) : WritesDoNotEnd();
    if (switched) {
      stop.SetDualWriter(DualWriterOf(upgrade));
    } else {
      Tell(upgrade, /*known=*/false);
    }
  }
  const auto took = std::chrono::duration_cast<milliseconds>(Steady::now() - began);
  if (!switched) {
    log_.Warn("upgrade_not_switched", {{"why", switched.error().message}, {"write_stop_ms", took.count()}});
    const std::string why = switched.error().message;
    if (Status back = Move(upgrade, UpgradeEvent::kGiveUp,
                           [&](Session& s) {
                             s.Run("ResetUpgradeShards", {"SYNCING"});
                             if (TwoLayouts(upgrade)) {
                               s.Run("CountLegacyShards", {std::to_string(upgrade.shards.size())});
                             } else {
                               WriteShard(s, {.shard = 0, .reason = why});
                             }
                           });
        !back) {
      return back;
    }
    return switched;
  }
  upgrade.write_stop_ms = took.count();
  log_.Info("upgrade_switched", {{"state", Name(upgrade.state)}, {"write_stop_ms", took.count()}});
  return Write([&](Session& s) -> Status { return WriteUpgrade(s, upgrade), Done{}; });
}

Status PgUpgrade::SwitchStopped(UpgradeView& upgrade, Steady::time_point began) {
  // A commit whose answer was lost may be under way still.
  const Status alone = Write([&](Session& s) -> Status {
    s.Run("WaitForLocksAtMost", {std::to_string(kStopMax / milliseconds(1)) + "ms"});
    s.Run("AwaitWriters", {leadership_.name, std::to_string(leadership_.epoch)});
    return Done{};
  });
  if (!alone) return alone;
  for (UpgradeShard& shard : upgrade.shards) shard = {.shard = shard.shard, .ready = true};
  for (;;) {
    std::size_t left = 0;
    if (TwoLayouts(upgrade)) {
      std::map<int, std::vector<std::string>> faults;
      const auto caught_up = CatchUp(upgrade, static_cast<int>(kFewApps), Origin::kAny, faults);
      if (!caught_up) return caught_up.error();
      if (!faults.empty()) return Error{ErrorKind::kFailedPrecondition, faults.begin()->second.front(), {}};
      left = *caught_up;
    }
    if (left == 0) {
      const auto ended = EndSwitch(upgrade);
      if (!ended) return ended.error();
      if (*ended) return Done{};
    }
    if (Steady::now() - began > kStopMax) {
      return Error{ErrorKind::kAborted, "too much was written since both layouts were compared; it is tried again", {}};
    }
  }
}

Result<bool> PgUpgrade::EndSwitch(UpgradeView& upgrade) {
  const auto session = owner_.Get();
  if (!session) return session.error();
  Migrator migrator(**session, ShippedMigrations(), Fenced());
  UpgradeView after = upgrade;
  after.state = *Advance(upgrade.state, UpgradeEvent::kDone);
  bool quiet = true;
  const auto also = [&](Session& s) -> Status {
    if (TwoLayouts(upgrade) && upgrade.state == UpgradeState::kSwitching && !(quiet = HoldsWriters(s))) {
      return Error{ErrorKind::kAborted, "somebody else writes", {}};
    }
    for (const UpgradeShard& shard : after.shards) WriteShard(s, shard);
    WriteUpgrade(s, after);
    if (TwoLayouts(upgrade)) s.Run("TrackOwnChanges", {"f"});
    return Done{};
  };
  Status ended = Done{};
  if (upgrade.state == UpgradeState::kSwitching) {
    ended = migrator.End(also);
  } else {
    // What the newer layout has beside goes with its own way back; where both are whole there is nothing to convert.
    std::int64_t current = 0;
    if (Status read = Read([&](Session& s) { current = s.Run("ReadVersions")[0].Int("current"); }); !read) return read.error();
    if (!TwoLayouts(upgrade) && current != upgrade.source) {
      if (const auto down = migrator.Down(upgrade.source); !down) return down.error();
    }
    ended = migrator.EndBack(upgrade, also);
  }
  if (!quiet) return false;
  if (!ended) return ended.error();
  upgrade = after;
  log_.Info("upgrade", {{"state", Name(upgrade.state)}, {"by", Name(UpgradeEvent::kDone)}});
  Tell(upgrade);
  return true;
}

}  // namespace baton
