#include "tools/definitions/snapshot.h"

#include "orchestrator/model/names.h"
#include "orchestrator/model/version.h"
#include "orchestrator/wire/limits/text.h"
#include "sql/read/app_reader.h"

namespace baton::definitions {
namespace {

std::string Schema(std::int64_t migration) { return "schema " + std::to_string(migration); }

class Page {
 public:
  explicit Page(const std::vector<ProcessGuid>& guids) : apps_(guids.size()) {
    for (std::size_t i = 0; i < guids.size(); ++i) {
      apps_[i].state.guid = guids[i];
      index_[guids[i].str()] = i;
    }
  }
  DumpedApp& Of(const Rows::Row& row) { return apps_[index_.at(row.Text("process_guid"))]; }
  std::vector<DumpedApp> Take() { return std::move(apps_); }

 private:
  std::vector<DumpedApp> apps_;
  std::map<std::string, std::size_t> index_;
};

DesiredLrp Desired(const Rows::Row& row) {
  DesiredLrp desired;
  desired.incarnation = row.Int("incarnation");
  desired.domain = row.Text("domain");
  desired.active = DefinitionId(row.Text("active_definition"));
  desired.healthy = DefinitionId(row.TextOrEmpty("healthy_definition"));
  if (!row.IsNull("definition_history")) desired.definition_history = static_cast<int>(row.Int("definition_history"));
  return desired;
}

Roll OpenRoll(const Rows::Row& row) {
  Roll roll;
  roll.incarnation = row.Int("incarnation");
  roll.id = RollId(row.Text("roll_id"));
  roll.source = DefinitionId(row.TextOrEmpty("source_definition"));
  roll.target = DefinitionId(row.Text("target_definition"));
  return roll;
}

ActualLrp Actual(const Rows::Row& row) {
  ActualLrp lrp;
  lrp.id = ActualId(row.Text("actual_id"));
  lrp.incarnation = row.Int("incarnation");
  lrp.definition = DefinitionId(row.Text("definition_identifier"));
  lrp.index = static_cast<int>(row.Int("instance_index"));
  // The table's CHECKs allow no other words.
  lrp.presence = ParsePresence(row.Text("presence")).value_or(Presence::kOrdinary);
  lrp.state = ParseLrpState(row.Text("state")).value_or(LrpState::kCrashed);
  lrp.cell_id = CellId(row.Text("cell_id"));
  return lrp;
}

std::string PlacementError(const Rows::Row& row, const Cipher& cipher) {
  const auto error = cipher.Open({"actual_lrps", "placement_error", row.Text("actual_id")}, row.Bytes("placement_error"));
  if (!error) return "cannot be read: " + error.error().message;
  return wire::IsUtf8(*error) ? *error : "cannot be read: it is no UTF-8 text";
}

}  // namespace

std::optional<std::string> RefuseVersion(Session& session) {
  if (!session.Run("LookForTables")[0].Bool("has_versions")) {
    return "this database holds no data of Baton's: look at --database, and at the search_path";
  }
  const Rows rows = session.Run("ReadVersions");
  if (rows.empty()) return "the table versions is empty: the database was not made by batond";
  const std::int64_t newest = std::max(rows[0].Int("current"), rows[0].Int("target"));
  const std::string found = Schema(rows[0].Int("current")) + " (" + rows[0].Text("current_semver") + ")";
  const std::string known = Schema(kSchemaMigration) + " (" + kSchemaSemver + ")";
  if (newest > kSchemaMigration) {
    const std::string way = rows[0].Int("target") != rows[0].Int("current") ? ", on its way to " + Schema(newest) : "";
    return "the database is of " + found + way + "; this program knows " + known +
           " at most: use the baton-definitions that came with the newer batond";
  }
  if (rows[0].Int("current") < kSchemaMigration) {
    return "the database is of " + found + "; this program reads " + known +
           ": start the newer batond once, which migrates it, or use the baton-definitions of the older one";
  }
  return std::nullopt;
}

TimePoint BeginDump(Session& session) { return session.Run("BeginDump")[0].Time("now"); }

std::string GuidsParam(const std::vector<ProcessGuid>& guids) {
  ArrayParam array;
  for (const ProcessGuid& guid : guids) array.Text(guid.str());
  return array.str();
}

std::vector<ProcessGuid> NextApps(Session& session, const DefinitionsOptions& options, const ProcessGuid& after) {
  if (!options.app.empty()) return after.empty() ? std::vector{options.app} : std::vector<ProcessGuid>();
  std::vector<Param> params = {after.str(), std::to_string(options.page_apps)};
  if (!options.domain.empty()) params.push_back(options.domain);
  std::vector<ProcessGuid> guids;
  for (const auto row : session.Run(options.domain.empty() ? "DumpApps" : "DumpAppsOfDomain", params)) {
    guids.emplace_back(row.Text());
  }
  return guids;
}

bool MayReadSealed(Session& session) { return session.Run("MayReadSealed")[0].Bool(); }

std::vector<DumpedApp> ReadDumpedApps(Session& session, const std::vector<ProcessGuid>& guids) {
  Page page(guids);
  const std::string param = GuidsParam(guids);
  for (const auto row : session.Run("DumpDesired", {param})) page.Of(row).state.desired = Desired(row);
  for (const auto row : session.Run("DumpRolls", {param})) page.Of(row).state.roll = OpenRoll(row);
  for (const auto row : session.Run(MayReadSealed(session) ? "DumpDefinitions" : "DumpDefinitionsInTheClear", {param})) {
    DumpedApp& app = page.Of(row);
    Definition definition = ReadDefinition(row);
    const DefinitionKey key{row.Int("incarnation"), definition.id};
    app.sizes[key] = row.Int("run_info_bytes");
    app.state.definitions.emplace(key, std::move(definition));
  }
  for (const auto row : session.Run("DumpActuals", {param})) {
    ActualLrp lrp = Actual(row);
    const ActualId id = lrp.id;
    page.Of(row).state.actuals.emplace(id, std::move(lrp));
  }
  return page.Take();
}

void ReadPlacementErrors(Session& session, std::vector<DumpedApp>& apps) {
  std::vector<ProcessGuid> guids;
  std::map<ActualId, ActualLrp*> waiting;
  for (DumpedApp& app : apps) {
    const std::size_t before = waiting.size();
    for (auto& [id, lrp] : app.state.actuals) {
      if (lrp.state == LrpState::kUnclaimed) waiting[id] = &lrp;
    }
    if (waiting.size() > before) guids.push_back(app.state.guid);
  }
  if (waiting.empty() || !MayReadSealed(session)) return;
  // A blob that PostgreSQL itself cannot read is for --check to find; it must not hide the rest.
  const SessionError error = session.Savepoint([&](Session& s) {
    for (const auto row : s.Run("DumpPlacementErrors", {GuidsParam(guids)})) {
      waiting.at(ActualId(row.Text("actual_id")))->placement_error = PlacementError(row, s.cipher());
    }
  });
  if (error.ok()) return;
  if (error.fault == Fault::kBroken) session.Run("ReadNow");  // leaves by the exception that ends the transaction
  for (auto& [id, lrp] : waiting) lrp->placement_error = "cannot be read: see --check";
}

}  // namespace baton::definitions
