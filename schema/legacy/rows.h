// The rows of 1.x, both ways. Their blobs are sealed and opened here and nowhere else.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/model/result.h"
#include "schema/legacy/app.h"

namespace baton {

class Session;

// Within a transaction. One statement for all apps, one for all instances; they must not be there yet.
void InsertLegacyApps(Session& session, const std::vector<LegacyApp>& apps);

struct LegacyBatch {
  std::vector<LegacyApp> apps;  // by name
  std::int64_t rows = 0;        // read, broken ones included
  std::string last;             // the last app read; empty: there was none
  // Apps with a row that cannot be read, each with its name and the fault.
  std::vector<std::string> broken;
};

// Apps behind `after`, whole: so many that they and their instances are at most `most` rows, at least one app.
LegacyBatch ReadLegacyApps(Session& session, const std::string& after, int most);

}  // namespace baton
