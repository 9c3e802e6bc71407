// The online upgrade of the data: what operators ask of it, and its work, step by step.
#pragma once

#include <string>

#include "orchestrator/base/result.h"
#include "orchestrator/model/fleet/upgrade.h"

namespace baton {

struct UpgradeWish {
  std::string target;     // semver; empty: what this program is built for
  int shards = 0;         // 0: as many as it likes, or as it was begun with
  bool keep_old = false;  // in step after the switch, for a way back
};

// All of it blocks, and is called by one thread at a time.
class Upgrader {
 public:
  virtual ~Upgrader() = default;
  virtual Result<UpgradeView> Look() = 0;
  // The same again changes nothing. FAILED_PRECONDITION where there is nothing to upgrade, or it was begun otherwise;
  // INVALID_ARGUMENT for a target that this program does not bring.
  virtual Status Begin(const UpgradeWish& wish) = 0;
  // Before the switch: as if it had not been begun. After it: back to the older layout, if it was kept in step.
  virtual Status RollBack() = 0;
  // The older layout goes. FAILED_PRECONDITION before the switch.
  virtual Status Finish() = 0;
  // A page of a shard, or one other step; whether there is more to do now. An error loses nothing.
  virtual Result<bool> Step(int rows_max) = 0;
};

}  // namespace baton
