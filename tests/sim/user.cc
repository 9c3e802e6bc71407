#include "tests/sim/user.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "orchestrator/app/apps/change_roll.h"
#include "orchestrator/app/apps/retire.h"
#include "orchestrator/app/apps/update.h"
#include "orchestrator/model/names.h"
#include "orchestrator/routing/bindings.h"
#include "tests/sim/leader.h"
#include "tests/sim/routes.h"

namespace baton::sim {
namespace {

ProcessGuid SomeApp(World& world) {
  return ProcessGuid("app-" + std::to_string(world.rng().Between(1, world.options().apps)));
}

DefinitionInput SomeVersion(World& world) {
  static constexpr char kKinds[] = {'g', 'g', 'g', 's', 'c', 'l', 'n', 'd', 'd'};
  const std::int64_t kinds = world.options().bad_versions ? std::ssize(kKinds) : 4;
  const char kind = kKinds[static_cast<std::size_t>(world.rng().Between(0, kinds - 1))];
  DefinitionInput input;
  input.definition.id = DefinitionId(std::string(1, kind) + std::to_string(world.rng().Between(1, 6)));
  input.definition.content_hash = "hash of " + input.definition.id.str();
  input.definition.ports = PortsOf(input.definition.id);
  input.definition.start_timeout = seconds(15);
  return input;
}

Strategy SomeStrategy(World& world) {
  Rng& rng = world.rng();
  Strategy s;
  s.min_healthy_time = seconds(2);
  s.progress_deadline = seconds(rng.Between(110, 200));
  s.wait_deadline = seconds(rng.Between(60, 120));
  s.drain_timeout = seconds(5);
  s.stop_timeout = seconds(10);
  s.max_surge = {static_cast<int>(rng.Between(0, 2))};
  s.max_unavailable = {static_cast<int>(rng.Between(s.max_surge.value == 0 ? 1 : 0, 2))};
  s.max_in_flight = {static_cast<int>(rng.Between(1, 3))};
  s.count_stopping = rng.Percent(70);
  s.on_failure = static_cast<OnFailure>(rng.Between(0, 2));
  s.max_failures = static_cast<int>(rng.Between(1, 3));
  s.max_failed_slots = static_cast<int>(rng.Percent(20) ? 1 : 0);
  if (const std::int64_t bakes = rng.Between(1, 100); bakes <= 40) s.bake_time = seconds(bakes <= 20 ? 3 : 0);
  if (world.options().stages && rng.Percent(60)) {
    for (std::int64_t i = rng.Between(1, 3); i > 0; --i) {
      Stage stage{{static_cast<int>(rng.Between(1, 100)), true}, std::nullopt};
      if (rng.Percent(50)) {
        stage.wait = seconds(rng.Between(0, 60));
      } else if (rng.Percent(50)) {
        stage.verdict_url = "http://judge.example";
      }
      s.stages.push_back(stage);
    }
  }
  if (world.options().recreate && rng.Percent(60)) s.mode = Mode::kRecreate;
  return s;
}

void Desire(World& world, const ProcessGuid& guid) {
  world.Met(guid, Happening::kDesire);
  DesireRequest request;
  request.desired.domain = "sim";
  request.desired.instances = static_cast<int>(world.rng().Between(0, world.options().instances_max));
  request.desired.strategy = SomeStrategy(world);
  request.definition = SomeVersion(world);
  request.desired.routes = SomeRoutes(world.rng(), guid, request.definition.definition.ports);
  world.LeaderOf(guid).UserCall("desire " + request.definition.definition.id.str(), guid,
                                [request](AppEdit& edit) { return DecideDesire(edit, request); });
}

// With most updates the app's routes go to ports of the new definition; with others they stay, and may need an alias.
void ChangeRoutesOf(World& world, const ProcessGuid& guid, UpdateRequest& request) {
  Rng& rng = world.rng();
  const auto& ports = request.definition->definition.ports;
  if (rng.Percent(60)) request.routes = SomeRoutes(rng, guid, ports);
  if (rng.Percent(30)) request.port_aliases = SomeAliases(rng, ports);
  request.accept_unroutable = rng.Percent(5);
}

// Routes are mapped and unmapped at any time, to ports of whatever definition.
void MapRoutes(World& world, const ProcessGuid& guid) {
  world.Met(guid, Happening::kMapRoutes);
  UpdateRequest request;
  const DefinitionId owner("g" + std::to_string(world.rng().Between(1, 6)));
  request.routes = SomeRoutes(world.rng(), guid, PortsOf(owner));
  request.accept_unroutable = world.rng().Percent(5);
  world.LeaderOf(guid).UserCall("map routes", guid, [request](AppEdit& edit) { return DecideUpdate(edit, request); });
}

// As somebody asks who names the definition. What was active before and is not now comes only to him who says that he
// means it (I28): an update that was sent again late says nothing of the kind.
Status UpdateByName(World& world, AppEdit& edit, UpdateRequest request) {
  const std::optional<DefinitionId> before = edit.state().desired ? std::optional(edit.state().desired->active) : std::nullopt;
  const DefinitionId& id = request.definition->definition.id;
  const bool returns = before && *before != id && edit.state().definitions.contains({edit.state().desired->incarnation, id});
  request.named = true;
  if (returns) {
    if (DecideUpdate(edit, request) || edit.state().desired->active != *before) {
      world.Broken("I28: " + id.str() + " was active before, and an update that names it made it so again");
    }
    edit.Undo();
    request.reactivate = true;
  }
  return DecideUpdate(edit, request);
}

void Update(World& world, const ProcessGuid& guid) {
  UpdateRequest request;
  request.definition = SomeVersion(world);
  request.retry = world.rng().Percent(50);
  const auto& desired = world.store().app(guid).desired;
  const bool same = desired && desired->active == request.definition->definition.id;
  if (!same) ChangeRoutesOf(world, guid, request);
  world.Met(guid, same ? Happening::kUpdateToTheSame : Happening::kUpdate);
  if (world.rng().Percent(20))
    request.instances = static_cast<int>(world.rng().Between(0, world.options().instances_max));
  world.LeaderOf(guid).UserCall(
      "update to " + request.definition->definition.id.str(), guid, [request, &world](AppEdit& edit) {
        const auto& app = edit.state().desired;
        const bool again =
            app && app->active == request.definition->definition.id && !request.instances && !request.retry &&
            !request.routes && request.port_aliases.empty();
        const Status status = UpdateByName(world, edit, request);
        if (again && status && edit.HasChanges()) world.Broken("I28: the same update again has an effect on an app");
        return status;
      });
}

// Another way to roll; a running roll takes only a part of it.
StrategyPatch SomeOtherStrategy(World& world) {
  const Strategy other = SomeStrategy(world);
  StrategyPatch patch;
  patch.max_surge = other.max_surge;
  patch.max_unavailable = other.max_unavailable;
  patch.max_in_flight = other.max_in_flight;
  patch.progress_deadline = other.progress_deadline;
  patch.on_failure = other.on_failure;
  patch.max_failures = other.max_failures;
  if (world.rng().Percent(50)) patch.stages = other.stages;
  if (world.rng().Percent(30)) patch.mode = other.mode;
  return patch;
}

void Scale(World& world, const ProcessGuid& guid) {
  world.Met(guid, Happening::kScale);
  UpdateRequest request;
  if (world.rng().Percent(25)) request.strategy = SomeOtherStrategy(world);
  request.instances = static_cast<int>(world.rng().Between(0, world.options().instances_max));
  world.LeaderOf(guid).UserCall("scale to " + std::to_string(*request.instances), guid,
                                [request](AppEdit& edit) { return DecideUpdate(edit, request); });
}

constexpr std::pair<RollEvent, Happening> kWishes[] = {{RollEvent::kPause, Happening::kPause},
                                                       {RollEvent::kResume, Happening::kResume},
                                                       {RollEvent::kPromote, Happening::kPromote},
                                                       {RollEvent::kCancel, Happening::kCancel},
                                                       {RollEvent::kRetry, Happening::kRetry}};
// Each is asked for in ActAsUser below: one that never is, no run of `--all-pairs` meets.
static_assert(std::ranges::all_of(kEventsByHand,
                                  [](RollEvent event) {
                                    return std::ranges::count(kWishes, event,
                                                              &std::pair<RollEvent, Happening>::first) == 1;
                                  }),
              "a person may ask for an event that the simulation does not ask for");

void ChangeRoll(World& world, const ProcessGuid& guid, RollEvent event) {
  for (const auto& [wish, happening] : kWishes) {
    if (wish == event) world.Met(guid, happening);
  }
  world.LeaderOf(guid).UserCall(std::string(Name(event)), guid, [event](AppEdit& edit) {
    return DecideChangeRoll(edit, {.event = event, .roll_id = std::nullopt, .reason = "by the simulation"});
  });
}

// What a person is told to do where a route holds up a roll: nothing else would end it.
void UnmapWhatLeadsNowhere(World& world, const AppState& app) {
  if (!app.desired) return;
  UpdateRequest request;
  request.routes = app.desired->routes;
  const Ports active(app.definitions.at({app.desired->incarnation, app.desired->active}), app.desired->routes);
  const auto gone = std::erase_if(request.routes->mapped,
                                  [&](const MappedRoute& route) { return BindingOf(route, active).port == 0; });
  if (gone == 0) return;
  world.LeaderOf(app.guid).UserCall("unmap what leads nowhere", app.guid,
                                    [request](AppEdit& edit) { return DecideUpdate(edit, request); });
}

}  // namespace

void ActAsUser(World& world) {
  const auto up = [](const auto& leadership) { return leadership->leader().up(); };
  if (std::ranges::none_of(world.leaderships(), up)) return;
  const ProcessGuid guid = SomeApp(world);
  if (!world.LeaderOf(guid).up()) return;
  const bool desired = world.store().app(guid).desired.has_value();
  // Mostly what makes sense; sometimes what does not.
  if (world.rng().Percent(desired ? 2 : 80)) return Desire(world, guid);
  const auto draw = world.rng().Between(1, 100);
  if (draw <= 40) return Update(world, guid);
  if (draw <= 45) return ChangeRoll(world, guid, RollEvent::kPromote);
  if (draw <= 53) return MapRoutes(world, guid);
  if (draw <= 65) return Scale(world, guid);
  if (draw <= 72) return ChangeRoll(world, guid, RollEvent::kPause);
  if (draw <= 79) return ChangeRoll(world, guid, RollEvent::kResume);
  if (draw <= 84) return ChangeRoll(world, guid, RollEvent::kCancel);
  if (draw <= 89) return ChangeRoll(world, guid, RollEvent::kRetry);
  if (draw <= 94) {
    world.Met(guid, Happening::kUndo);
    world.LeaderOf(guid).UserCall("undo", guid, [](AppEdit& edit) { return DecideRollBack(edit, std::nullopt); });
    return;
  }
  if (world.options().retires && world.rng().Percent(60)) {
    world.Met(guid, Happening::kRetire);
    world.LeaderOf(guid).UserCall("retire", guid, [some = world.rng().Percent(30)](AppEdit& edit) {
      std::optional<DefinitionId> only;
      if (edit.state().desired && some) only = edit.state().desired->active;
      // What an open roll goes away from, every other time: its source is what people ask to be rid of.
      const auto& roll = edit.state().roll;
      if (only && roll && !Origin(*roll).empty() && roll->revision % 2 == 0) only = Origin(*roll);
      Retirement retirement;
      return DecideRetireInstances(edit, {only, {}}, retirement);
    });
    return;
  }
  if (!world.options().deletes) return;
  world.Met(guid, Happening::kRemove);
  world.LeaderOf(guid).UserCall("remove", guid, [](AppEdit& edit) { return DecideRemove(edit); });
}

void EndAsUser(World& world) {
  for (auto& [guid, app] : world.store().apps()) {
    if (world.LeadershipOf(guid).away()) continue;
    UnmapWhatLeadsNowhere(world, app);
    if (app.roll && app.roll->paused_by_hand) ChangeRoll(world, guid, RollEvent::kResume);
    if (app.roll && app.roll->stage_since) ChangeRoll(world, guid, RollEvent::kPromote);
  }
}

}  // namespace baton::sim
