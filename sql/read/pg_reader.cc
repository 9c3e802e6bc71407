#include "sql/read/pg_reader.h"

#include <utility>

#include "orchestrator/base/errors.h"
#include "orchestrator/model/names.h"
#include "sql/read/app_reader.h"
#include "sql/read/chunk_reader.h"
#include "sql/read/list_reader.h"
#include "sql/read/pg_event_log.h"
#include "sql/read/sweep_reader.h"
#include "sql/registry/registry_reader.h"
#include "sql/session/row_values.h"
#include "sql/session/session.h"

namespace baton {
namespace {

std::vector<ProcessGuid> Guids(const Rows& rows) {
  std::vector<ProcessGuid> guids;
  for (const auto row : rows) guids.emplace_back(row.Text("process_guid"));
  return guids;
}

Result<RollRead> OpenRoll(const Rows::Row& row, const Cipher& cipher) {
  auto roll = baton::ReadRoll(row, cipher);
  if (!roll) return roll.error();
  return RollRead{ProcessGuid(row.Text("process_guid")), *std::move(roll)};
}

// A blob that does not open says so in its own place: no list is lost over it.
std::string TextOrFault(Result<std::string> opened) {
  if (!opened) return opened.error().message;
  return wire::IsUtf8(*opened) ? *std::move(opened) : kNoText;
}

RollRead FinishedRoll(const Rows::Row& row, const Cipher& cipher) {
  RollRead read{ProcessGuid(row.Text("process_guid")), {}};
  Roll& r = read.roll;
  r.incarnation = row.Int("incarnation");
  r.id = RollId(row.Text("roll_id"));
  r.source = DefinitionId(row.TextOrEmpty("source_definition"));
  r.target = DefinitionId(row.Text("target_definition"));
  r.state = ParseRollState(row.Text("state")).value_or(RollState::kYielded);
  r.reason = TextOrFault(cipher.Open({"roll_history", "reason", r.id.str()}, row.Bytes("reason")));
  r.revision = row.Int("revision");
  r.opened_at = row.Time("opened_at");
  r.finished_at = row.Time("finished_at");
  r.refused = row.Bool("refused");
  r.actor = row.Text("actor");
  r.waited = milliseconds(row.Int("waited_ms"));
  return read;
}

}  // namespace

// One snapshot, read only. An error of the database is UNAVAILABLE for the caller and the log's in full.
template <class T>
Result<T> PgReader::Read(Session::Isolation isolation, const std::function<Result<T>(Session&)>& body) {
  std::optional<Result<T>> result;
  const SessionError error = session_.Transact(isolation, [&](Session& s) {
    result = body(s);
    return true;
  });
  if (error.ok()) return *std::move(result);
  log_.Warn("read_failed", {{"sqlstate", error.sqlstate}, {"error", error.detail}});
  if (error.sqlstate == kNoPrivilege) return Error{ErrorKind::kInternal, kCheckDatabase, {}};
  return Error{ErrorKind::kUnavailable, "the database did not answer the read", seconds(1)};
}

template <class T>
Result<T> PgReader::Snapshot(const std::function<Result<T>(Session&)>& body) {
  return Read<T>(Session::Isolation::kSnapshotReadOnly, body);
}

template <class T>
Result<T> PgReader::OneRead(const std::function<Result<T>(Session&)>& body) {
  return Read<T>(Session::Isolation::kEachAlone, body);
}

template <class T>
Result<T> PgReader::ListSnapshot(const std::function<Result<T>(Session&)>& body) {
  return Snapshot<T>([&](Session& s) -> Result<T> {
    s.Run("PlanLists");
    return body(s);
  });
}

Result<AppRead> PgReader::ReadApp(const ProcessGuid& guid) {
  return Snapshot<AppRead>([&](Session& s) -> Result<AppRead> {
    LoadedApps loaded = LoadApps(s, {.apps = {guid}});
    if (!loaded.broken.empty()) return loaded.broken.begin()->second;
    AppRead read;
    read.app = std::move(loaded.apps.at(guid));
    read.moment.now = s.Run("ReadNow")[0].Time();
    LoadSurroundings(s, {{guid, read.app}}, read.moment);
    if (routers_) read.moment.counted_since = routers_->CountedSince();
    return read;
  });
}

Result<AppPage> PgReader::ReadApps(const ProcessGuid& after, int limit) {
  return ListSnapshot<AppPage>([&](Session& s) -> Result<AppPage> {
    const auto guids = Guids(s.Run("ListApps", {after.str(), std::to_string(limit)}));
    AppPage page;
    if (static_cast<int>(guids.size()) == limit) page.next = guids.back();
    LoadedApps loaded = LoadApps(s, {.apps = guids});
    for (auto& [guid, app] : loaded.apps) {
      if (!loaded.broken.contains(guid)) page.apps.push_back(std::move(app));
    }
    for (const auto& [guid, error] : loaded.broken) page.broken.emplace(guid, error.message);
    return page;
  });
}

Result<DefinitionRead> PgReader::ReadDefinition(const ProcessGuid& guid, std::int64_t incarnation,
                                                const DefinitionId& id) {
  return OneRead<DefinitionRead>([&](Session& s) -> Result<DefinitionRead> {
    const Rows rows = s.Run("ReadDefinitionWithRunInfo", {guid.str(), std::to_string(incarnation), id.str()});
    if (rows.empty()) return NoDefinition(id.str(), guid.str());
    DefinitionRead read;
    read.incarnation = rows[0].Int("incarnation");
    read.definition = baton::ReadDefinition(rows[0]);
    const std::string sealed = rows[0].Bytes("run_info");
    read.size_bytes = static_cast<std::int64_t>(sealed.size());
    auto run_info = OpenRunInfo(s.cipher(), guid, {read.incarnation, id}, sealed);
    if (!run_info) return run_info.error();
    read.run_info = *std::move(run_info);
    return read;
  });
}

Result<Page<DesiredRead>> PgReader::ListDesired(const DesiredFilter& filter, ProcessGuid& after, int limit) {
  return ListSnapshot<Page<DesiredRead>>([&](Session& s) { return ReadDesiredPage(s, filter, after, limit); });
}

Result<Page<DesiredRead>> PgReader::GetDesired(const std::vector<ProcessGuid>& guids) {
  return OneRead<Page<DesiredRead>>([&](Session& s) { return ReadDesiredByGuid(s, guids); });
}

Result<Page<ActualRead>> PgReader::ListActuals(const ActualFilter& filter, ProcessGuid& after_guid, ActualId& after_id,
                                               int limit) {
  return ListSnapshot<Page<ActualRead>>(
      [&](Session& s) { return ReadActualsPage(s, filter, after_guid, after_id, limit); });
}

Result<ChunkSince<DesiredRead>> PgReader::ReadDesiredSince(const KeptChunk& chunk, int most) {
  return Snapshot<ChunkSince<DesiredRead>>([&](Session& s) { return baton::ReadDesiredSince(s, chunk, most); });
}

Result<ChunkSince<ActualRead>> PgReader::ReadActualsSince(const KeptChunk& chunk, int most) {
  return Snapshot<ChunkSince<ActualRead>>([&](Session& s) { return baton::ReadActualsSince(s, chunk, most); });
}

Result<ProcessGuid> PgReader::FindApp(const ActualId& id) {
  return OneRead<ProcessGuid>([&](Session& s) -> Result<ProcessGuid> {
    const Rows rows = s.Run("FindApp", {id.str()});
    if (!rows.empty()) return ProcessGuid(rows[0].Text("process_guid"));
    return Error{ErrorKind::kNotFound, "actual_id " + id.str() + " does not exist (any more)", {}};
  });
}

Result<std::vector<ProcessGuid>> PgReader::ListAppsWithDefinitions(const std::string& domain, const ProcessGuid& after,
                                                                   int limit) {
  return ListSnapshot<std::vector<ProcessGuid>>([&](Session& s) -> Result<std::vector<ProcessGuid>> {
    return Guids(s.Run("ListAppsWithDefinitions", {after.str(), domain, std::to_string(limit)}));
  });
}

Result<std::map<DefinitionKey, std::int64_t>> PgReader::DefinitionSizes(const ProcessGuid& guid) {
  using Sizes = std::map<DefinitionKey, std::int64_t>;
  return Snapshot<Sizes>([&](Session& s) -> Result<Sizes> {
    Sizes sizes;
    for (const auto row : s.Run("DefinitionSizes", {guid.str()})) {
      sizes[{row.Int("incarnation"), DefinitionId(row.Text("definition_identifier"))}] = row.Int("size_bytes");
    }
    return sizes;
  });
}

Result<RollRead> PgReader::ReadRoll(const RollId& id) {
  return Snapshot<RollRead>([&](Session& s) -> Result<RollRead> {
    const Rows open = s.Run("ReadOpenRoll", {id.str()});
    if (!open.empty()) return OpenRoll(open[0], s.cipher());
    const Rows finished = s.Run("ReadFinishedRoll", {id.str()});
    if (!finished.empty()) return FinishedRoll(finished[0], s.cipher());
    return NoRollOf("id " + id.str());
  });
}

Result<RollRead> PgReader::ReadLatestRoll(const ProcessGuid& guid) {
  return Snapshot<RollRead>([&](Session& s) -> Result<RollRead> {
    const Rows open = s.Run("ReadOpenRollOfApp", {guid.str()});
    if (!open.empty()) return OpenRoll(open[0], s.cipher());
    const Rows finished = s.Run("ReadLatestFinishedRoll", {guid.str()});
    if (!finished.empty()) return FinishedRoll(finished[0], s.cipher());
    return NoRollOf(guid.str());
  });
}

Result<Page<RollRead>> PgReader::ListOpenRolls(const std::string& domain, ProcessGuid& after, int limit) {
  return ListSnapshot<Page<RollRead>>([&](Session& s) -> Result<Page<RollRead>> {
    Page<RollRead> page;
    const Rows rows = s.Run("ListOpenRolls", {after.str(), domain, std::to_string(limit)});
    for (const auto row : rows) {
      after = ProcessGuid(row.Text("process_guid"));
      auto read = OpenRoll(row, s.cipher());
      read ? page.rows.push_back(*std::move(read))
           : page.broken.push_back({after.str(), "the open roll of " + after.str(), read.error().message});
    }
    page.last = static_cast<int>(rows.size()) < limit;
    return page;
  });
}

Result<std::vector<RollRead>> PgReader::ListFinishedRolls(const ProcessGuid& guid, const std::string& domain,
                                                          TimePoint before, int limit) {
  return ListSnapshot<std::vector<RollRead>>([&](Session& s) -> Result<std::vector<RollRead>> {
    std::vector<RollRead> page;
    const Rows rows =
        s.Run("ListFinishedRolls", {guid.str(), domain, std::to_string(Micros(before)), std::to_string(limit)});
    for (const auto row : rows) page.push_back(FinishedRoll(row, s.cipher()));
    return page;
  });
}

Result<std::vector<RollStep>> PgReader::ReadSteps(const RollId& id, std::int64_t after, int limit) {
  return OneRead<std::vector<RollStep>>([&](Session& s) -> Result<std::vector<RollStep>> {
    std::vector<RollStep> steps;
    for (const auto row : s.Run("ReadSteps", {id.str(), std::to_string(after), std::to_string(limit)})) {
      RollStep step;
      step.roll_id = RollId(row.Text("roll_id"));
      step.sequence = row.Int("sequence");
      step.at = row.Time("at");
      step.kind = ParseStepKind(row.Text("kind")).value_or(StepKind::kState);
      step.index = static_cast<int>(row.Int("instance_index"));
      step.actual_id = ActualId(row.Text("actual_id"));
      step.definition = DefinitionId(row.Text("definition_identifier"));
      const std::string key = row.Text("roll_id") + "/" + row.Text("sequence");
      step.text = TextOrFault(s.cipher().Open({"roll_steps", "text", key}, row.Bytes("text")));
      step.actor = row.Text("actor");
      step.start_took = milliseconds(row.Int("start_ms"));
      step.stop_took = milliseconds(row.Int("stop_ms"));
      steps.push_back(std::move(step));
    }
    return steps;
  });
}

Result<std::vector<CellRecord>> PgReader::ListCells() {
  return ListSnapshot<std::vector<CellRecord>>([](Session& s) { return ReadCells(s); });
}

Result<std::vector<RouteConsumerRecord>> PgReader::ListRouteConsumers() {
  return ListSnapshot<std::vector<RouteConsumerRecord>>([](Session& s) { return ReadRouteConsumers(s); });
}

Result<std::vector<DomainRecord>> PgReader::ListDomains() {
  return Snapshot<std::vector<DomainRecord>>([](Session& s) { return ReadDomains(s); });
}

Result<std::vector<EventRow>> PgReader::ReadEvents(std::int64_t after, std::int64_t up_to, int limit) {
  return OneRead<std::vector<EventRow>>([&](Session& s) -> Result<std::vector<EventRow>> {
    std::vector<EventRow> events;
    const std::vector<Param> params = {std::to_string(after), std::to_string(up_to), std::to_string(limit)};
    for (const auto row : s.Run("ReadEventsAfter", params)) events.push_back(ReadEvent(row, s.cipher()));
    return events;
  });
}

Result<Reader::EventBounds> PgReader::ReadEventBounds() {
  return OneRead<EventBounds>([&](Session& s) -> Result<EventBounds> {
    const Rows rows = s.Run("EventBounds");
    return EventBounds{rows[0].Int("oldest"), rows[0].Int("newest_given_out"), rows[0].Int("newest")};
  });
}

Result<SweepView> PgReader::ReadSweep(PassKind kind) {
  return ListSnapshot<SweepView>([&](Session& s) -> Result<SweepView> { return ReadSweepView(s, kind); });
}

Result<std::vector<AppState>> PgReader::ListCollectable(const ProcessGuid& after, int history, int limit) {
  return ListSnapshot<std::vector<AppState>>(
      [&](Session& s) -> Result<std::vector<AppState>> { return ReadCollectable(s, after, history, limit); });
}

Result<Page<AuditEntry>> PgReader::ListAudit(const AuditFilter& filter, AuditPlace& before, int looked) {
  return ListSnapshot<Page<AuditEntry>>([&](Session& s) {
    Page<AuditEntry> page;
    const Rows rows =
        s.Run("ListAudit", {std::to_string(Micros(before.at)), std::to_string(before.sequence),
                            std::to_string(Micros(filter.since)), filter.guid, filter.actor, std::to_string(looked)});
    for (const auto row : rows) {
      before = {row.Time("at"), row.Int("sequence")};
      page.last = row.Int("looked") < looked;
      if (!row.Bool("asked")) continue;
      page.rows.push_back({before.sequence, before.at, row.Text("actor"), row.Text("method"), row.Text("process_guid"),
                           row.Text("request_id")});
      TakeOutcome(row.View("outcome"), page.rows.back());
    }
    return page;
  });
}

Result<DataVersions> PgReader::ReadVersions() {
  return Snapshot<DataVersions>([](Session& s) -> Result<DataVersions> {
    const Rows rows = s.Run("ReadVersions");
    if (rows.empty()) return Error{ErrorKind::kDataLoss, "the table versions is empty", {}};
    DataVersions versions{.migration = rows[0].Int("current"),
                          .target = rows[0].Int("target"),
                          .semver = rows[0].Text("current_semver"),
                          .store_id = {},
                          .server = s.ServerVersion(),
                          .members = {}};
    if (!s.Run("MembersTableExists")[0].Bool()) return versions;
    for (const auto& row : s.Run("ReadStore")) versions.store_id = row.Text("store_id");
    for (const auto& row : s.Run("ReadMembers")) {
      versions.members.push_back({row.Text("id"), row.Text("address"), row.Int("schema"), row.Text("semver"), row.Text("app_version"),
                                  row.Text("state"), row.Text("why"), row.Time("started_at"), row.Time("seen_at"), row.Bool("alive")});
    }
    return versions;
  });
}

Result<std::vector<ProcessGuid>> PgReader::ListAppsOnCell(const CellId& cell) {
  return Snapshot<std::vector<ProcessGuid>>(
      [&](Session& s) -> Result<std::vector<ProcessGuid>> { return Guids(s.Run("ListAppsOnCell", {cell.str()})); });
}

}  // namespace baton
