// A database in Diego's layout, read within one snapshot. It is never written to here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "schema/legacy/apps/app.h"
#include "sql/session/session.h"
#include "tools/adopt/column.h"

namespace baton::adopt {

// The levels that are known: the first has everything that Baton needs, the last is what Diego was at when this was
// written (docs/guide/adopt.md).
inline constexpr std::int64_t kOldestLevel = 1686692176;
inline constexpr std::int64_t kNewestLevel = 1772581987;

struct SourceBatch {
  std::vector<LegacyApp> apps;  // what 2.0 can hold, findings excepted
  std::vector<LegacyFinding> findings;
  std::int64_t instances = 0;  // taken over
  std::string last;            // the last app read; empty: there was none
};

class Source {
 public:
  // Both within a transaction of `session`'s.
  Source(Session& session, const SourceKeys& keys) : session_(session), keys_(keys), opener_(keys) {}

  // FAILED_PRECONDITION where this is no Diego database of a known level, or the keys do not fit: with what is missing.
  Status Check();
  std::string Fingerprint() const;

  SourceBatch Next(const std::string& after, int most);
  // Instances without an app. `at` is where to go on, and is moved; nothing comes when there are no more.
  struct Place {
    std::string guid;
    std::int64_t index = -1;
    std::string presence;
  };
  std::vector<LegacyFinding> Orphans(Place& at, int most);

  struct Domain {
    std::string name;
    std::int64_t expire_time = 0;
  };
  std::vector<Domain> Domains(std::vector<LegacyFinding>& findings);
  std::int64_t Tasks();

 private:
  Status CheckTables();
  Status CheckLevel();
  Status CheckKeys();
  Status CheckPassphrases();

  Session& session_;
  const SourceKeys& keys_;
  ColumnOpener opener_;
};

}  // namespace baton::adopt
