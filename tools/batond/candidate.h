// Whether this process could lead, by its data and its keys; while another one leads, it is kept ready to. Of the
// election's thread.
#pragma once

#include <chrono>
#include <string>

#include "orchestrator/app/leader/leader.h"
#include "schema/law.h"
#include "schema/online/pg_upgrade.h"
#include "sql/keys/pg_key_store.h"
#include "sql/registry/pg_registry.h"
#include "tools/batond/version_keeper.h"

namespace baton::batond {

class Candidate {
 public:
  Candidate(VersionKeeper& keeper, PgKeyStore& keys, PgUpgrade& upgrader, PgRegistry& registry, Leader& leader,
            Log& log)
      : keeper_(keeper), keys_(keys), upgrader_(upgrader), registry_(registry), leader_(leader), log_(log) {}

  // Data of an older schema has no keys yet: it is migrated first.
  Status MayStand();
  // Another one leads: now and then it is looked at whether this one could, and what that takes is read and opened.
  void StandBy();
  // Which key is missing here, as it was logged; empty: none.
  const std::string& keys_trouble() const { return keys_trouble_; }

 private:
  Status CheckKeys();
  void Look();

  VersionKeeper& keeper_;
  PgKeyStore& keys_;
  PgUpgrade& upgrader_;
  PgRegistry& registry_;
  Leader& leader_;
  Log& log_;
  std::string keys_trouble_;
  VersionDuty duty_ = VersionDuty::kShutDown;  // as it was looked at last
  bool may_lead_ = false;                      // as well
  std::chrono::steady_clock::time_point next_look_{};
};

}  // namespace baton::batond
