// Imports a Diego database into an empty one, which becomes a Baton database of schema 1.1; batond migrates it from
// there. After a kill the same call resumes; after completion it does nothing and says so.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "schema/legacy/apps/app.h"
#include "sql/session/session.h"
#include "tools/adopt/keys.h"

namespace baton::adopt {

struct Summary {
  bool did_nothing = false;  // it was done before
  bool began_again = false;  // the source had been written to since a try that was not finished
  std::int64_t apps = 0;     // each becomes one definition
  std::int64_t instances = 0;
  std::int64_t domains = 0;
  std::int64_t tasks = 0;  // that were found: Baton runs none
  TimePoint finished_at;
  struct Count {
    LegacyFinding::Kind kind = LegacyFinding::Kind::kRow;
    std::string table;
    std::string field;
    std::int64_t rows = 0;
  };
  std::vector<Count> left_out;
  // No row and no field was left out; notes there may be.
  bool complete() const;
};

struct Adoption {
  Session& from;
  Session& into;
  const SourceKeys& keys;
  int batch_apps = 200;
  std::function<void(std::int64_t apps, std::int64_t instances)> progress = [](auto, auto) {};
};

// FAILED_PRECONDITION with what is in the way; UNAVAILABLE where a database failed, and the same call goes on.
Result<Summary> Adopt(const Adoption& adoption);

// Drops Diego's tables, if `into` says that all of them were taken over and no program has written to them since.
Result<Summary> DropSource(Session& from, Session& into);

// What was left out, in pages.
Status ReadLeftOut(Session& into, const std::function<void(const LegacyFinding&)>& take);

}  // namespace baton::adopt
