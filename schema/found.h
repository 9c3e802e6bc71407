// Inspects a database: which program owns it, and its version. Reads only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/model/fleet/store_identity.h"
#include "orchestrator/model/fleet/upgrade.h"
#include "schema/law.h"

namespace baton {

class Session;

struct Found {
  enum class Owner { kNobody, kBaton, kDiego, kOther };
  Owner owner = Owner::kNobody;
  bool in_recovery = false;  // a replica: nothing is ever decided there
  bool has_schema = true;    // there is a schema to make tables in
  std::int64_t tables = 0;
  std::optional<VersionMark> mark;  // nothing: nothing was ever written here
  RollbackMark rollback = RollbackMark::kNone;
  std::int64_t rollback_from = 0;  // the version that it was begun from; 0: none was
  StoreIdentity store;
  std::int64_t epoch = 0;       // the highest that ever led here
  std::int64_t lost_epoch = 0;  // the highest that led this store, as cells know; 0: they know no more than it does
  // Rows of Diego's that were taken over so far, where that is not finished; nothing: none is under way.
  std::optional<std::int64_t> adopted_so_far;
  bool copy_begun = false;  // others' writes to 1.x are noted: a working copy is being made, or was
  std::optional<UpgradeView> upgrade;  // online, begun or not, and not finished; without its shards
  struct Applied {
    std::string file;
    std::string checksum;
  };
  std::map<std::int64_t, Applied> applied;
};

// Within a transaction.
Found LookAt(Session& session);

}  // namespace baton
