#include "tests/sim/user.h"

#include <algorithm>
#include <string>

#include "orchestrator/app/change_roll.h"
#include "orchestrator/app/retire.h"
#include "orchestrator/app/update.h"
#include "orchestrator/model/names.h"
#include "tests/sim/leader.h"

namespace baton::sim {
namespace {

ProcessGuid SomeApp(World& world) {
  return ProcessGuid("app-" + std::to_string(world.rng().Between(1, world.options().apps)));
}

DefinitionInput SomeVersion(World& world) {
  static constexpr char kKinds[] = {'g', 'g', 'g', 's', 'c', 'l', 'n'};
  const std::int64_t kinds = world.options().bad_versions ? 7 : 4;
  const char kind = kKinds[static_cast<std::size_t>(world.rng().Between(0, kinds - 1))];
  DefinitionInput input;
  input.definition.id = DefinitionId(std::string(1, kind) + std::to_string(world.rng().Between(1, 6)));
  input.definition.content_hash = "hash of " + input.definition.id.str();
  input.definition.ports = {8080};
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
  s.bake_time = seconds(rng.Percent(20) ? 3 : 0);
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
  request.desired.instances = static_cast<int>(world.rng().Between(0, world.options().instances_most));
  request.desired.strategy = SomeStrategy(world);
  request.desired.routes.http = {{guid.str() + ".example", 8080}};
  request.definition = SomeVersion(world);
  world.LeaderOf(guid).UserCall("desire " + request.definition.definition.id.str(), guid,
                                [request](AppEdit& edit) { return DecideDesire(edit, request); });
}

void Update(World& world, const ProcessGuid& guid) {
  UpdateRequest request;
  request.definition = SomeVersion(world);
  request.retry = world.rng().Percent(50);
  const auto& desired = world.store().app(guid).desired;
  const bool same = desired && desired->active == request.definition->definition.id;
  world.Met(guid, same ? Happening::kUpdateToTheSame : Happening::kUpdate);
  if (world.rng().Percent(20))
    request.instances = static_cast<int>(world.rng().Between(0, world.options().instances_most));
  world.LeaderOf(guid).UserCall(
      "update to " + request.definition->definition.id.str(), guid, [request, &world](AppEdit& edit) {
        const auto& app = edit.state().desired;
        const bool again =
            app && app->active == request.definition->definition.id && !request.instances && !request.retry;
        const Status status = DecideUpdate(edit, request);
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
  request.instances = static_cast<int>(world.rng().Between(0, world.options().instances_most));
  world.LeaderOf(guid).UserCall("scale to " + std::to_string(*request.instances), guid,
                                [request](AppEdit& edit) { return DecideUpdate(edit, request); });
}

void ChangeRoll(World& world, const ProcessGuid& guid, RollEvent event) {
  constexpr std::pair<RollEvent, Happening> kWishes[] = {{RollEvent::kPause, Happening::kPause},
                                                         {RollEvent::kResume, Happening::kResume},
                                                         {RollEvent::kPromote, Happening::kPromote},
                                                         {RollEvent::kCancel, Happening::kCancel},
                                                         {RollEvent::kRetry, Happening::kRetry}};
  for (const auto& [wish, happening] : kWishes) {
    if (wish == event) world.Met(guid, happening);
  }
  world.LeaderOf(guid).UserCall(std::string(Name(event)), guid, [event](AppEdit& edit) {
    return DecideChangeRoll(edit, {.event = event, .roll_id = std::nullopt, .reason = "by the simulation"});
  });
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
      int marked = 0;
      return DecideRetireInstances(edit, {only, {}}, marked);
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
    if (app.roll && app.roll->paused_by_hand) ChangeRoll(world, guid, RollEvent::kResume);
    if (app.roll && app.roll->stage_since) ChangeRoll(world, guid, RollEvent::kPromote);
  }
}

}  // namespace baton::sim
