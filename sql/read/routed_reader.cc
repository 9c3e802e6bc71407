#include "sql/read/routed_reader.h"

#include "orchestrator/wire/stored/stored.h"
#include "sql/session/row_values.h"

namespace baton {
namespace {

Result<DesiredLrp> ReadRoutedApp(const Rows::Row& row, const Cipher& cipher) {
  DesiredLrp desired;
  Blobs blobs(cipher, "desired_lrps", row.Text("process_guid"));
  desired.incarnation = row.Int("incarnation");
  desired.active = DefinitionId(row.Text("active_definition"));
  desired.domain = row.Text("domain");
  blobs.Take("routes", wire::DecodeRoutes(blobs.Open(row, "routes")), desired.routes);
  if (blobs.first()) return *blobs.first();
  return desired;
}

Definition ReadRoutedDefinition(const Rows::Row& row) {
  Definition definition;
  definition.id = DefinitionId(row.Text("definition_identifier"));
  definition.ports = PortNumbers(row.Array("ports"));
  definition.port_aliases = PortAliases(row.Array("port_aliases"));
  return definition;
}

Result<ActualLrp> ReadRoutedActual(const Rows::Row& row, const Cipher& cipher) {
  Blobs blobs(cipher, "actual_lrps", row.Text("actual_id"));
  ActualLrp lrp = ReadServing(row, blobs);
  lrp.routable = row.Bool("routable");
  lrp.awaits_drain = row.Bool("awaits_drain");
  if (blobs.first()) return *blobs.first();
  return lrp;
}

// `steps`: apps, their definitions, their instances.
LoadedApps Load(Session& session, const std::vector<ProcessGuid>& guids, std::vector<Session::Step> steps) {
  LoadedApps loaded;
  for (const ProcessGuid& guid : guids) loaded.apps[guid].guid = guid;
  const auto rows = session.RunTogether(std::move(steps));
  for (const auto row : rows[0]) {
    const ProcessGuid guid(row.Text("process_guid"));
    auto desired = ReadRoutedApp(row, session.cipher());
    desired ? void(loaded.apps.at(guid).desired = *std::move(desired)) : void(loaded.broken.emplace(guid, desired.error()));
  }
  for (const auto row : rows[1]) {
    const auto at = loaded.apps.find(ProcessGuid(row.Text("process_guid")));
    if (at == loaded.apps.end()) continue;  // of an app that is gone, until it is collected
    Definition definition = ReadRoutedDefinition(row);
    const DefinitionKey key{row.Int("incarnation"), definition.id};
    at->second.definitions.emplace(key, std::move(definition));
  }
  for (const auto row : rows[2]) {
    const ProcessGuid guid(row.Text("process_guid"));
    auto lrp = ReadRoutedActual(row, session.cipher());
    if (!lrp) {
      loaded.broken.emplace(guid, lrp.error());
      continue;
    }
    const ActualId id = lrp->id;
    loaded.apps.at(guid).actuals.emplace(id, *std::move(lrp));
  }
  return loaded;
}

}  // namespace

LoadedApps LoadRouted(Session& session, const std::vector<ProcessGuid>& guids) {
  if (guids.empty()) return {};
  const std::vector<Param> range{guids.front().str(), guids.back().str()};
  return Load(session, guids,
              {{"ReadRoutedApps", range}, {"ReadRoutedDefinitions", range}, {"ReadRoutedActuals", range}});
}

LoadedApps LoadRoutedOf(Session& session, const std::vector<ProcessGuid>& guids) {
  if (guids.empty()) return {};
  ArrayParam some;
  for (const ProcessGuid& guid : guids) some.Text(guid.str());
  const std::vector<Param> these{some.str()};
  return Load(session, guids,
              {{"ReadRoutedAppsOf", these}, {"ReadRoutedDefinitionsOf", these}, {"ReadRoutedActualsOf", these}});
}

}  // namespace baton
