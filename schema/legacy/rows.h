// The rows of 1.x, both ways. Their blobs are sealed and opened here and nowhere else.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "schema/legacy/apps/app.h"
#include "schema/legacy/apps/join.h"
#include "sql/session/session.h"

namespace baton {

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

// What is there of one app.
struct LegacyShape {
  std::optional<LegacyApp> app;  // whole; nothing: it is no app, or cannot be read
  // Of no app.
  std::vector<LegacyInstance> orphans;
  std::string fault;  // of the first row that cannot be read
};

// The stored rows of these apps: one statement for all apps, one for all instances. `lock`: locks the rows until the
// end of the transaction, and leaves out rows that another transaction has locked.
struct LegacyRows {
  Rows desired;
  Rows actuals;
};
LegacyRows ReadLegacyRows(Session& session, const std::vector<ProcessGuid>& guids, bool lock);
// Needs no database. Leaves out apps without a row.
std::map<ProcessGuid, LegacyShape> ShapesOf(const LegacyRows& rows);

// Baton's own writes, which keep these rows in step (sql/statements/in_step.sql). Each is one statement, none where
// there is nothing.
void DeleteLegacyApps(Session& session, const std::vector<ProcessGuid>& guids);  // with all instances
void UpsertLegacyApps(Session& session, const std::vector<LegacyApp>& apps);     // without instances
void DeleteLegacyInstances(Session& session, const std::vector<std::pair<ProcessGuid, LegacyPlace>>& places);
struct LegacyUpsert {
  ProcessGuid guid;
  std::int64_t incarnation = 0;  // nothing is written unless it is the app's present one
  bool own_row = false;          // nothing is written unless the place is this very instance's already
  LegacyInstance lrp;
};
void UpsertLegacyInstances(Session& session, const std::vector<LegacyUpsert>& upserts);

}  // namespace baton
