// The record of an online upgrade, as it stands in the database: one row, and one for each shard.
#pragma once

#include <optional>

#include "orchestrator/model/fleet/upgrade.h"

namespace baton {

class Session;

// All within a transaction.

// The row alone; nothing where there is none, or not even its table.
std::optional<UpgradeView> ReadUpgrade(Session& session);
std::optional<UpgradeView> LockUpgrade(Session& session);
void ReadShards(Session& session, UpgradeView& upgrade);
// State, shards, keep_old and the last write stop.
void WriteUpgrade(Session& session, const UpgradeView& upgrade);
void WriteShard(Session& session, const UpgradeShard& shard);

}  // namespace baton
