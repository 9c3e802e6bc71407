#include "sql/routed_reader.h"

#include "orchestrator/wire/stored.h"
#include "sql/row_values.h"

namespace baton {
namespace {

Result<DesiredLrp> ReadRoutedApp(const Rows::Row& row, const Cipher& cipher) {
  DesiredLrp desired;
  Blobs blobs(cipher, "desired_lrps", row.Text(0));
  desired.incarnation = row.Int(1);
  desired.active = DefinitionId(row.Text(2));
  desired.domain = row.Text(4);
  blobs.Take("routes", wire::DecodeRoutes(blobs.Open(row, 3, "routes")), desired.routes);
  if (blobs.first()) return *blobs.first();
  return desired;
}

Definition ReadRoutedDefinition(const Rows::Row& row) {
  Definition definition;
  definition.id = DefinitionId(row.Text(2));
  definition.ports = PortNumbers(row.Array(3));
  definition.port_aliases = PortAliases(row.Array(4));
  return definition;
}

Result<ActualLrp> ReadRoutedActual(const Rows::Row& row, const Cipher& cipher) {
  ActualLrp lrp;
  Blobs blobs(cipher, "actual_lrps", row.Text(1));
  lrp.id = ActualId(row.Text(1));
  lrp.incarnation = row.Int(2);
  lrp.index = static_cast<int>(row.Int(3));
  TakePresenceAndState(row.Text(4), row.Text(6), blobs, lrp);
  lrp.definition = DefinitionId(row.Text(5));
  lrp.instance_guid = InstanceGuid(row.Text(7));
  if (const Status read = wire::DecodeStart(blobs.Open(row, 8, "net_info"), lrp); !read) blobs.Keep("net_info", read.error());
  lrp.routable = row.Bool(9);
  lrp.awaits_drain = row.Bool(10);
  if (blobs.first()) return *blobs.first();
  return lrp;
}

}  // namespace

LoadedApps LoadRouted(Session& session, const std::vector<ProcessGuid>& guids) {
  LoadedApps loaded;
  if (guids.empty()) return loaded;
  for (const ProcessGuid& guid : guids) loaded.apps[guid].guid = guid;
  const std::vector<std::string> range{guids.front().str(), guids.back().str()};
  const auto rows =
      session.RunTogether({{"ReadRoutedApps", range}, {"ReadRoutedDefinitions", range}, {"ReadRoutedActuals", range}});
  for (const auto row : rows[0]) {
    const ProcessGuid guid(row.Text(0));
    auto desired = ReadRoutedApp(row, session.cipher());
    desired ? void(loaded.apps.at(guid).desired = *std::move(desired)) : void(loaded.broken.emplace(guid, desired.error()));
  }
  for (const auto row : rows[1]) {
    const auto at = loaded.apps.find(ProcessGuid(row.Text(0)));
    if (at == loaded.apps.end()) continue;  // of an app that is gone, until it is collected
    Definition definition = ReadRoutedDefinition(row);
    const DefinitionKey key{row.Int(1), definition.id};
    at->second.definitions.emplace(key, std::move(definition));
  }
  for (const auto row : rows[2]) {
    const ProcessGuid guid(row.Text(0));
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

}  // namespace baton
