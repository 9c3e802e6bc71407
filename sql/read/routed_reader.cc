#include "sql/read/routed_reader.h"

#include <string_view>

#include "orchestrator/base/check.h"
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
  desired.instances = static_cast<int>(row.Int("instances"));
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

// Rows come by their guids, mostly: the next one is of the same app, or of the one behind it.
class InOrder {
 public:
  using Apps = std::map<ProcessGuid, AppState>;
  explicit InOrder(Apps& apps) : apps_(apps), at_(apps.begin()) {}
  // Nothing where there is none.
  AppState* Find(std::string_view guid) {
    if (!Is(guid) && at_ != apps_.end()) ++at_;
    if (!Is(guid)) at_ = apps_.find(ProcessGuid(std::string(guid)));
    return at_ == apps_.end() ? nullptr : &at_->second;
  }
  AppState& At(std::string_view guid) {
    AppState* app = Find(guid);
    CHECK(app);
    return *app;
  }

 private:
  bool Is(std::string_view guid) const { return at_ != apps_.end() && at_->first.str() == guid; }

  Apps& apps_;
  Apps::iterator at_;
};

// `steps`: apps, their definitions, their instances, their rolls.
RoutedRows Read(Session& session, std::vector<ProcessGuid> guids, std::vector<Session::Step> steps) {
  auto rows = session.RunTogether(std::move(steps));
  return {std::move(guids), std::move(rows[0]), std::move(rows[1]), std::move(rows[2]), std::move(rows[3])};
}

}  // namespace

RoutedRows ReadRouted(Session& session, std::vector<ProcessGuid> guids) {
  if (guids.empty()) return {};
  const std::vector<Param> range{guids.front().str(), guids.back().str()};
  return Read(session, std::move(guids),
              {{"ReadRoutedApps", range}, {"ReadRoutedDefinitions", range}, {"ReadRoutedActuals", range},
               {"ReadRoutedRolls", range}});
}

RoutedRows ReadRoutedOf(Session& session, std::vector<ProcessGuid> guids) {
  if (guids.empty()) return {};
  ArrayParam some;
  for (const ProcessGuid& guid : guids) some.Text(guid.str());
  const std::vector<Param> these{some.str()};
  return Read(session, std::move(guids),
              {{"ReadRoutedAppsOf", these}, {"ReadRoutedDefinitionsOf", these}, {"ReadRoutedActualsOf", these},
               {"ReadRoutedRollsOf", these}});
}

LoadedApps Decoded(const RoutedRows& rows, const Cipher& cipher) {
  LoadedApps loaded;
  for (const ProcessGuid& guid : rows.guids) loaded.apps.try_emplace(loaded.apps.end(), guid)->second.guid = guid;
  InOrder apps(loaded.apps);
  for (const auto row : rows.apps) {
    AppState& app = apps.At(row.View("process_guid"));
    auto desired = ReadRoutedApp(row, cipher);
    desired ? void(app.desired = *std::move(desired)) : void(loaded.broken.emplace(app.guid, desired.error()));
  }
  for (const auto row : rows.definitions) {
    AppState* app = apps.Find(row.View("process_guid"));
    if (!app) continue;  // it is gone, until its definitions are collected
    Definition definition = ReadRoutedDefinition(row);
    const DefinitionKey key{row.Int("incarnation"), definition.id};
    app->definitions.emplace(key, std::move(definition));
  }
  for (const auto row : rows.actuals) {
    AppState& app = apps.At(row.View("process_guid"));
    auto lrp = ReadRoutedActual(row, cipher);
    if (!lrp) {
      loaded.broken.emplace(app.guid, lrp.error());
      continue;
    }
    const ActualId id = lrp->id;
    app.actuals.emplace(id, *std::move(lrp));
  }
  for (const auto row : rows.rolls) {
    if (AppState* app = apps.Find(row.View("process_guid"))) app->roll.emplace();
  }
  return loaded;
}

}  // namespace baton
