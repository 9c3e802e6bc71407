// What this program may do with the database that it finds: checks the version law's preconditions, then asks the law.
#pragma once

#include <optional>
#include <string>

#include "orchestrator/base/result.h"
#include "schema/found.h"
#include "schema/law.h"
#include "schema/migrator/steps.h"

namespace baton {

// What is remembered of a store outside of it (schema/memory.h).
struct StoreMemory {
  std::string store_id;
  std::int64_t version = 0;
  std::int64_t epoch = 0;
  bool sealed_only = false;  // its key file said so once (orchestrator/crypto/keys.h); of this batond, not of a store
};

struct VersionVerdict {
  VersionDuty duty = VersionDuty::kShutDown;
  // Of kShutDown: what is wrong, with what, and what to do. One sentence.
  std::string why;
};

// Pure. `shipped`: what the program brings; the newest is what it is built for. Checks, beside the law: whose database
// it is, that it is no replica, that shipped texts were not changed, that the schema is within the range which is
// served, and that the store has not lost what is remembered of it.
VersionVerdict Judge(const Found& found, const std::vector<Migration>& shipped,
                     const std::optional<StoreMemory>& memory);

// Beside BEGIN and CONTINUE: to write down the END of what was begun.
inline bool MustMigrate(const Found& found, const VersionVerdict& verdict) {
  return verdict.duty == VersionDuty::kBegin || verdict.duty == VersionDuty::kContinue ||
         (verdict.duty == VersionDuty::kEnd && found.mark);
}

}  // namespace baton
