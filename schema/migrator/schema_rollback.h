// The way back to an older version that was shipped: the same order as forward, in the other direction, but for its
// end, which is one transaction: an older program could not go on with what it does not know.
#pragma once

#include <cstdint>
#include <vector>

#include "schema/migrator/step_runner.h"

namespace baton {

class SchemaRollback {
 public:
  SchemaRollback(StepRunner& runner, const std::vector<Migration>& shipped) : runner_(runner), shipped_(shipped) {}

  // FAILED_PRECONDITION with each thing that would be lost.
  Result<MigrationReport> Run(std::int64_t to);

 private:
  using Migrations = std::vector<const Migration*>;  // newest first

  Status CheckLosses(const Migrations& back);
  Status Begin(const Migrations& back, std::int64_t to);
  Status End(const Migrations& back, const Migration& to);

  StepRunner& runner_;
  const std::vector<Migration>& shipped_;
};

}  // namespace baton
