// The database's rows as baton-definitions reads them: pages of apps out of one snapshot.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "orchestrator/model/app_state.h"
#include "sql/session/session.h"
#include "tools/definitions/options.h"

namespace baton::definitions {

// All of one process guid. Of desired row, roll and instances only what a definition's roles depend on.
struct DumpedApp {
  AppState state;
  std::map<DefinitionKey, std::int64_t> sizes;  // bytes of the stored run info, envelope included
};

// Each within one Transact(kSnapshotReadOnly) of the caller's: all pages then are of one instant.

// First of all: no value where this program can read the data, else the sentence that says why not.
std::optional<std::string> RefuseVersion(Session& session);
// The database's time; lifts the limit for a transaction that does nothing for a while.
TimePoint BeginDump(Session& session);
// Apps after `after` in the order of their guids; fewer than page_apps: there are no more.
std::vector<ProcessGuid> NextApps(Session& session, const DefinitionsOptions& options, const ProcessGuid& after);
// Whether this role may read sealed values. A role that may not (baton_lister of schema/roles.sql) sees no sizes of run
// infos, and no placement errors.
bool MayReadSealed(Session& session);
// Without blobs.
std::vector<DumpedApp> ReadDumpedApps(Session& session, const std::vector<ProcessGuid>& guids);
// Why instances of these apps have no cell, as the cells said it. One that cannot be read says so in place of it.
void ReadPlacementErrors(Session& session, std::vector<DumpedApp>& apps);

// An array of guids as a parameter.
std::string GuidsParam(const std::vector<ProcessGuid>& guids);

}  // namespace baton::definitions
