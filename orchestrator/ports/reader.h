// Reads, as the use cases and the API need them. Each call is of one instant; a list of several pages is not.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/app_state.h"
#include "orchestrator/model/calls/audit.h"
#include "orchestrator/model/convergence/convergence.h"
#include "orchestrator/model/domain.h"
#include "orchestrator/model/fleet/cell.h"
#include "orchestrator/model/fleet/member.h"
#include "orchestrator/model/fleet/route_consumer.h"
#include "orchestrator/model/moment.h"
#include "orchestrator/ports/event_log.h"
#include "orchestrator/ports/list_chunk.h"

namespace baton {

struct AppRead {
  AppState app;
  Moment moment;  // of the same instant
};

struct AppPage {
  std::vector<AppState> apps;
  std::map<ProcessGuid, std::string> broken;  // apps that cannot be read, with the fault; they are left out
  std::optional<ProcessGuid> next;  // where the next page begins; nothing: this was the last
};

// A row that cannot be read: it is named, never deleted, and the others go on.
struct BrokenRow {
  std::string key;  // an app's guid, or an instance's id
  std::string row;  // for people
  std::string fault;
};

// Some rows of a list, in its order.
template <class Row>
struct Page {
  std::vector<Row> rows;
  std::vector<BrokenRow> broken;
  bool last = true;  // there are no more
  ReadMark mark;     // of lists of all that there is; else empty
};

struct DefinitionRead {
  std::int64_t incarnation = 0;
  Definition definition;
  std::string run_info;
  std::int64_t size_bytes = 0;
};

struct DesiredRead {
  ProcessGuid guid;
  DesiredLrp desired;
  Definition active;
  std::string run_info;
  RollId open_roll;  // of GetDesired only; empty: none is open
};

struct ActualRead {
  ProcessGuid guid;
  ActualLrp lrp;
};

struct RollRead {
  ProcessGuid guid;
  Roll roll;
};

struct DesiredFilter {
  std::string domain;              // empty: all
  std::vector<ProcessGuid> guids;  // empty: all
  bool scheduling_only = false;    // only what a DesiredLRPSchedulingInfo shows is read; the rest is as by default

  bool TakesAll() const { return domain.empty() && guids.empty(); }
};

struct ActualFilter {
  std::string domain;
  ProcessGuid guid;
  CellId cell;
  std::optional<int> index;
  std::vector<ProcessGuid> guids = {};  // empty: all

  bool TakesAll() const { return domain.empty() && guid.empty() && cell.empty() && !index && guids.empty(); }
};

// What the data says of itself.
struct DataVersions {
  std::int64_t migration = 0;
  std::int64_t target = 0;
  std::string semver;
  std::string store_id;  // empty: of a time before stores had names
  std::string server;    // PostgreSQL's own version, "15.8"
  std::vector<Member> members;
};

class Reader {
 public:
  virtual ~Reader() = default;

  virtual Result<AppRead> ReadApp(const ProcessGuid& guid) = 0;
  // A page of all apps that are desired or have instances, whole, ordered by guid.
  virtual Result<AppPage> ReadApps(const ProcessGuid& after, int limit) = 0;
  // NOT_FOUND. `incarnation` 0: the app's present one.
  virtual Result<DefinitionRead> ReadDefinition(const ProcessGuid& guid, std::int64_t incarnation,
                                                const DefinitionId& id) = 0;
  // Pages, ordered by guid, after `after`, which moves on.
  virtual Result<Page<DesiredRead>> ListDesired(const DesiredFilter& filter, ProcessGuid& after, int limit) = 0;
  // Those of the apps that are desired, with their run infos and open rolls, in any order. A page has no limit here.
  virtual Result<Page<DesiredRead>> GetDesired(const std::vector<ProcessGuid>& guids) = 0;
  // Ordered by (guid, actual id), after that pair, which moves on.
  virtual Result<Page<ActualRead>> ListActuals(const ActualFilter& filter, ProcessGuid& after_guid, ActualId& after_id,
                                               int limit) = 0;
  // Of chunks of these two lists of all that there is. Where more than `most` rows were written it is to be read anew.
  virtual Result<ChunkSince<DesiredRead>> ReadDesiredSince(const KeptChunk& chunk, int most) = 0;
  virtual Result<ChunkSince<ActualRead>> ReadActualsSince(const KeptChunk& chunk, int most) = 0;
  // The app of an instance. NOT_FOUND.
  virtual Result<ProcessGuid> FindApp(const ActualId& id) = 0;
  // Apps that have definitions, present or past.
  virtual Result<std::vector<ProcessGuid>> ListAppsWithDefinitions(const std::string& domain, const ProcessGuid& after,
                                                                   int limit) = 0;
  virtual Result<std::map<DefinitionKey, std::int64_t>> DefinitionSizes(const ProcessGuid& guid) = 0;

  // Open or finished. NOT_FOUND.
  virtual Result<RollRead> ReadRoll(const RollId& id) = 0;
  // The open one, else the latest finished one. NOT_FOUND.
  virtual Result<RollRead> ReadLatestRoll(const ProcessGuid& guid) = 0;
  // Ordered by guid, after `after`, which moves on.
  virtual Result<Page<RollRead>> ListOpenRolls(const std::string& domain, ProcessGuid& after, int limit) = 0;
  // Newest first, older than `before`.
  virtual Result<std::vector<RollRead>> ListFinishedRolls(const ProcessGuid& guid, const std::string& domain,
                                                          TimePoint before, int limit) = 0;
  virtual Result<std::vector<RollStep>> ReadSteps(const RollId& id, std::int64_t after, int limit) = 0;

  // Newest first, from before `before`, which moves on. So many rows are looked at, however few are asked for: only
  // `last` says that there are no more.
  virtual Result<Page<AuditEntry>> ListAudit(const AuditFilter& filter, AuditPlace& before, int looked) = 0;

  virtual Result<DataVersions> ReadVersions() = 0;
  virtual Result<std::vector<CellRecord>> ListCells() = 0;
  // By id.
  virtual Result<std::vector<RouteConsumerRecord>> ListRouteConsumers() = 0;
  // Fresh ones, by name.
  virtual Result<std::vector<DomainRecord>> ListDomains() = 0;
  // All that a convergence pass of this kind looks at, in one snapshot.
  virtual Result<SweepView> ReadSweep(PassKind kind) = 0;
  virtual Result<std::vector<ProcessGuid>> ListAppsOnCell(const CellId& cell) = 0;
  // Apps whose definitions may be collected, ordered by guid, with as much of their rows as the pure rule asks for.
  // `history`: of apps that do not say it themselves.
  virtual Result<std::vector<AppState>> ListCollectable(const ProcessGuid& after, int history, int limit) = 0;

  // Events that are settled, in order, after one sequence and up to another.
  virtual Result<std::vector<EventRow>> ReadEvents(std::int64_t after, std::int64_t up_to, int limit) = 0;
  struct EventBounds {
    std::int64_t oldest = 0;  // that is kept; 0: there is none
    std::int64_t newest = 0;  // that was ever given out
    std::int64_t committed = 0;  // the newest of those that are there
  };
  virtual Result<EventBounds> ReadEventBounds() = 0;
};

// Threads that read, each with a connection of its own.
class Reads {
 public:
  virtual ~Reads() = default;
  // Runs `work` on one of them; with an error where the database is away. Never blocks.
  virtual void Run(std::function<void(Result<Reader*>)> work) = 0;
  // One app, on one of the threads; NOT_FOUND where it is not desired. What is wanted while they read is read together, so
  // that many callers take few statements.
  using Got = std::function<void(const Result<DesiredRead>&)>;
  virtual void Get(const ProcessGuid& guid, Got got) = 0;
};

}  // namespace baton
