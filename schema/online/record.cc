#include "schema/online/record.h"

#include <algorithm>

#include "sql/session/session.h"

namespace baton {
namespace {

std::optional<UpgradeView> Read(const Rows& rows) {
  if (rows.empty()) return std::nullopt;
  const auto row = rows[0];
  UpgradeView upgrade;
  upgrade.source = row.Int("source");
  upgrade.source_semver = row.Text("source_semver");
  upgrade.target = row.Int("target");
  upgrade.target_semver = row.Text("target_semver");
  upgrade.state = ParseUpgradeState(row.Text("state")).value_or(UpgradeState::kWaiting);
  // As the table's CHECK has it.
  upgrade.shards.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(row.Int("shards"), 0, kShardsMax)));
  for (std::size_t i = 0; i < upgrade.shards.size(); ++i) upgrade.shards[i].shard = static_cast<int>(i);
  upgrade.keep_old = row.Bool("keep_old");
  upgrade.changed_at = row.Time("changed_at");
  upgrade.write_stop_ms = row.Int("write_stop_ms");
  return upgrade;
}

}  // namespace

std::optional<UpgradeView> ReadUpgrade(Session& session) {
  if (!session.Run("UpgradeTableExists")[0].Bool()) return std::nullopt;
  return Read(session.Run("ReadUpgrade"));
}

std::optional<UpgradeView> LockUpgrade(Session& session) { return Read(session.Run("LockUpgrade")); }

void ReadShards(Session& session, UpgradeView& upgrade) {
  for (const auto row : session.Run("ReadUpgradeShards")) {
    const auto at = static_cast<std::size_t>(row.Int("shard"));
    if (at >= upgrade.shards.size()) continue;
    upgrade.shards[at] = {static_cast<int>(at), row.Bool("ready"), row.Text("reason"), row.Int("rows_left")};
    upgrade.rows_left += row.Int("rows_left");
  }
}

void WriteUpgrade(Session& session, const UpgradeView& u) {
  session.Run("UpdateUpgrade", {std::string(Name(u.state)), std::to_string(u.shards.size()), u.keep_old ? "t" : "f",
                                std::to_string(u.write_stop_ms)});
}

void WriteShard(Session& session, const UpgradeShard& shard) {
  const char* state = shard.ready ? "READY" : shard.reason.empty() ? "PENDING" : "FAILED";
  session.Run("WriteUpgradeShard",
              {std::to_string(shard.shard), state, shard.reason, std::to_string(shard.rows_left)});
}

}  // namespace baton
