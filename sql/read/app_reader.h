// Rows to values: all rows of some apps, or some instances alone. A row that cannot be read breaks its app only: it is
// named, never deleted, and the others go on.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/app_state.h"
#include "orchestrator/model/moment.h"
#include "sql/read/known_apps.h"
#include "sql/session/session.h"

namespace baton {

struct DesiredRead;  // orchestrator/ports/reader.h

struct AppLoad {
  std::vector<ProcessGuid> apps;
  std::vector<ActualId> instances;  // of apps that are not in `apps`; read with a lock only
  // Of `instances`: those whose definition is read as well.
  std::vector<ActualId> with_definition;
  enum class Lock {
    kNothing,
    kApps,  // where they are desired or have a roll; an instance that is changed has its guard (RowGuards) with each
            // lock
    kInstancesToo,
  };
  Lock lock = Lock::kNothing;
  // With kApps: of these only what was written since. Their instances are moved out of it, and their guards kept right.
  KnownRows* known = nullptr;
  bool mend = false;  // what cannot be read of `apps` gets its default, and is in `mended`

  bool IsKnown(const ProcessGuid& guid) const { return known && known->contains(guid); }
  bool HasKnown() const { return known && !known->empty(); }
  bool HasUnknown() const { return apps.size() > (known ? known->size() : 0); }
};

// The rows of an app with an unreadable value, which reads as its default. An instance whose address is lost is marked
// for replacement.
struct Mended {
  bool desired = false;
  bool roll = false;
  std::set<ActualId> actuals;
  std::set<DefinitionKey> lost;  // definitions that its rows name and that are not there (wire/stored/placeholder.h)
};

struct LoadedApps {
  std::map<ProcessGuid, AppState> apps;  // every guid that was asked for, with nothing in it where there is nothing
  std::map<ActualId, ProcessGuid> instances;
  std::map<ProcessGuid, Error> broken;
  std::map<ProcessGuid, Mended> mended;
  std::map<ProcessGuid, ReadAt> read_at;  // of apps that are desired, where they were locked
};

// Within a transaction. Callers that pipeline the statements with others use the two parts: `rows` are the results.
LoadedApps LoadApps(Session& session, const AppLoad& load);
std::vector<Session::Step> StepsOf(const AppLoad& load);
LoadedApps TakeApps(Session& session, const AppLoad& load, std::span<const Rows> rows);
// Those of instances among `rows`, but for apps of `load.known`.
std::vector<const Rows*> ActualRows(const AppLoad& load, std::span<const Rows> rows);

// Live consumers and cells' leases, and which domains are fresh where one of the apps asks for it; `now` is the
// caller's. Within a transaction. In two parts as well.
void LoadSurroundings(Session& session, const std::map<ProcessGuid, AppState>& apps, Moment& moment);
inline constexpr std::size_t kFleetReads = 2;
std::vector<Session::Step> FleetReadSteps();
void TakeFleet(Session& session, const std::map<ProcessGuid, AppState>& apps, std::span<const Rows> rows,
               Moment& moment);

// With `mended`, what cannot be read gets its default, and it is set where there was such.
Result<DesiredLrp> ReadDesired(const Rows::Row& row, const Cipher& cipher, bool* mended = nullptr);
// A row of ListSchedulingInfos: all else of the app and its definition is as by default, and its routes are payloads only.
Result<DesiredRead> ReadSchedulingInfo(const Rows::Row& row, const Cipher& cipher);
Definition ReadDefinition(const Rows::Row& row);
Result<Roll> ReadRoll(const Rows::Row& row, const Cipher& cipher, bool* mended = nullptr);

}  // namespace baton
