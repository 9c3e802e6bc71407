// Brings a database to the schema that this program is built for: expand, copy, set current, contract
// (docs/guide/upgrades.md). Every transaction is fenced; killed at any statement, the next one goes on from there, and
// comes to the same.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/fleet/upgrade.h"
#include "schema/found.h"
#include "schema/migrator/step_runner.h"
#include "schema/verdict.h"

namespace baton {

class Session;

class Migrator {
 public:
  Migrator(Session& session, const std::vector<Migration>& shipped, MigratorOptions options);

  // Makes the newest layout in an empty database, whole or not at all. Nothing where another was faster.
  Status Create();
  // By the law from what is there to what this program is built for; nothing where it is there already. UNAVAILABLE
  // where the database went away, ABORTED where the fence or `progress` said no, FAILED_PRECONDITION where rows cannot
  // be taken over, with their names.
  Result<MigrationReport> Up();
  // Online: all of it before the end, while the older layout is served; `target` stays what it is. Nothing of it is done
  // twice.
  Status Prepare();
  // Its end: from here on the newer layout counts. `also`: in the same transaction; its refusal is the end's.
  Status End(const std::function<Status(Session&)>& also = {});
  // To `to`, where the older layout was kept in step: nothing is converted.
  Status EndBack(const UpgradeView& upgrade, const std::function<Status(Session&)>& also);
  // What a contract left undone, because its process was killed after END.
  Status Contract();
  // The way back to an older version that was shipped. FAILED_PRECONDITION with each thing that would be lost.
  Result<MigrationReport> Down(std::int64_t to);

 private:
  Status Begin(std::int64_t target, bool say_so);
  Status FillTarget();

  const std::vector<Migration>& shipped_;
  StepRunner runner_;
};

// For a program that has the database to itself: inspects it, then creates or migrates the schema. FAILED_PRECONDITION:
// the version rules refuse.
Status Migrate(Session& session);

}  // namespace baton
