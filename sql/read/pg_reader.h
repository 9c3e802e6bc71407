// Reads over PostgreSQL. Every read is one snapshot.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "orchestrator/ports/log.h"
#include "orchestrator/ports/reader.h"
#include "orchestrator/ports/router_names.h"
#include "sql/session/session.h"

namespace baton {

class PgReader final : public Reader {
 public:
  // `routers` null: every name counts.
  PgReader(Session& session, Log& log, const RouterNames* routers = nullptr)
      : session_(session), log_(log), routers_(routers) {}

  Result<AppRead> ReadApp(const ProcessGuid& guid) override;
  Result<AppPage> ReadApps(const ProcessGuid& after, int limit) override;
  Result<DefinitionRead> ReadDefinition(const ProcessGuid& guid, std::int64_t incarnation,
                                        const DefinitionId& id) override;
  Result<Page<DesiredRead>> ListDesired(const DesiredFilter& filter, ProcessGuid& after, int limit) override;
  Result<Page<DesiredRead>> GetDesired(const std::vector<ProcessGuid>& guids) override;
  Result<Page<ActualRead>> ListActuals(const ActualFilter& filter, ProcessGuid& after_guid, ActualId& after_id,
                                       int limit) override;
  Result<ChunkSince<DesiredRead>> ReadDesiredSince(const KeptChunk& chunk, int most) override;
  Result<ChunkSince<ActualRead>> ReadActualsSince(const KeptChunk& chunk, int most) override;
  Result<ProcessGuid> FindApp(const ActualId& id) override;
  Result<std::vector<ProcessGuid>> ListAppsWithDefinitions(const std::string& domain, const ProcessGuid& after,
                                                           int limit) override;
  Result<std::map<DefinitionKey, std::int64_t>> DefinitionSizes(const ProcessGuid& guid) override;
  Result<RollRead> ReadRoll(const RollId& id) override;
  Result<RollRead> ReadLatestRoll(const ProcessGuid& guid) override;
  Result<Page<RollRead>> ListOpenRolls(const std::string& domain, ProcessGuid& after, int limit) override;
  Result<std::vector<RollRead>> ListFinishedRolls(const ProcessGuid& guid, const std::string& domain, TimePoint before,
                                                  int limit) override;
  Result<std::vector<RollStep>> ReadSteps(const RollId& id, std::int64_t after, int limit) override;
  Result<Page<AuditEntry>> ListAudit(const AuditFilter& filter, AuditPlace& before, int looked) override;
  Result<DataVersions> ReadVersions() override;
  Result<std::vector<CellRecord>> ListCells() override;
  Result<std::vector<RouteConsumerRecord>> ListRouteConsumers() override;
  Result<std::vector<DomainRecord>> ListDomains() override;
  Result<SweepView> ReadSweep(PassKind kind) override;
  Result<std::vector<ProcessGuid>> ListAppsOnCell(const CellId& cell) override;
  Result<std::vector<AppState>> ListCollectable(const ProcessGuid& after, int history, int limit) override;
  Result<std::vector<EventRow>> ReadEvents(std::int64_t after, std::int64_t up_to, int limit) override;
  Result<EventBounds> ReadEventBounds() override;

 private:
  template <class T>
  Result<T> Read(Session::Isolation isolation, const std::function<Result<T>(Session&)>& body);
  // One snapshot of several statements.
  template <class T>
  Result<T> Snapshot(const std::function<Result<T>(Session&)>& body);
  // A statement that finds little by keys, and nothing else.
  template <class T>
  Result<T> OneRead(const std::function<Result<T>(Session&)>& body);
  // One snapshot, of statements that read much.
  template <class T>
  Result<T> ListSnapshot(const std::function<Result<T>(Session&)>& body);

  Session& session_;
  Log& log_;
  const RouterNames* routers_;
};

}  // namespace baton
