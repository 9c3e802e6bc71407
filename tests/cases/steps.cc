// Which slots come next, and which instances are in the way.
#include <algorithm>

#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/roll/rules/collect.h"
#include "orchestrator/roll/transition.h"
#include "tests/cases/kinds.h"
#include "tests/cases/table.h"

namespace baton::cases {
namespace {

std::vector<int> Ints(const Json& given, const char* member) {
  return given.contains(member) && given[member].is_array() ? given[member].get<std::vector<int>>()
                                                            : std::vector<int>();
}

// Nomad: so many slots at a time, replaced in place.
Table NomadTable(const Json& given) {
  Table table(given);
  const int parallel = IntIn(given, "max_parallel", 1);
  table.strategy().max_surge = {0};
  table.strategy().max_in_flight = {parallel};
  return table;
}

}  // namespace

// The API refuses a max_in_flight of 0; a row that has it all the same moves one slot at a time.
Answer Budget(const Case& one) {
  Table table = NomadTable(one.given);
  table.Lay(one.given);
  table.Plan();
  const int replaced = static_cast<int>(table.Replaced().size());
  const bool unlimited = IntIn(one.given, "max_parallel", 1) == 0;
  return {.ours = {{"replace", replaced}, {"replace_indices", table.Replaced()}},
          .rule = unlimited && replaced == 1 ? "Strategy: 0 never means unlimited" : ""};
}

// Theirs are numbered from 0, and the missing ones are the last.
Answer Missing(const Case& one) {
  Table table = NomadTable(one.given);
  const int there = IntIn(one.given.at("old"), "available", 0);
  for (int i = 0; i < there; ++i) table.Put(i, Presence::kOrdinary, "v1", true);
  table.Miss();
  table.Plan();
  std::vector<int> placed;
  std::ranges::set_difference(table.Begun(), table.Stopped(), std::back_inserter(placed));
  return {.ours = {{"place_indices", placed}, {"replace_indices", table.Replaced()}}};
}

namespace {

// Where the present group ends, in slots that are done. A batch is one size again and again; of several sizes the last
// one goes on.
int GroupEnd(const std::vector<int>& sizes, bool batch, int done, int active) {
  if (batch && active == 0) return done + sizes[0];  // batches go by order, wherever the slots are
  int end = 0;
  for (std::size_t i = 0; active > 0 ? end < done + active : end <= done; ++i)
    end += sizes[std::min(i, sizes.size() - 1)];
  return end;
}

// Going back there are no groups: `idle` ones run what the roll goes away from.
Answer GroupBack(const std::vector<int>& idle) {
  const int instances = idle.empty() ? 1 : *std::ranges::max_element(idle) + 1;
  Table table({{"desired", instances}, {"max_surge", instances}});
  Roll& roll = *table.maker().app.roll;
  roll.state = RollState::kRollingBack;
  roll.proved_at.reset();
  table.maker().app.desired->active = roll.source;
  for (int i = 0; i < instances; ++i) {
    const bool is_idle = std::ranges::find(idle, i) != idle.end();
    table.Put(i, Presence::kOrdinary, is_idle ? "v2" : "v1", true);
  }
  table.Plan();
  const bool lowest_first = !idle.empty() && table.Begun() == std::vector<int>{*std::ranges::min_element(idle)};
  return {.ours = {{"next", table.Begun()}},
          .rule = lowest_first
                      ? "stages: a rollback does not stop; it tries one slot first, the lowest, as every roll does"
                      : ""};
}

}  // namespace

// Groups are stages: the next one begins when all of the last are done. `active` slots have their newcomer, `idle` ones
// are old, the rest is done.
Answer NextGroup(const Case& one) {
  const std::vector<int> idle = Ints(one.given, "idle");
  const std::vector<int> active = Ints(one.given, "active");
  const std::vector<int> sizes = Ints(one.given, "sizes");
  if (!one.given.value("rolling_forward", true)) return GroupBack(idle);
  if (sizes.empty() || *std::ranges::min_element(sizes) < 1) return Unmapped("a group has no size");
  int instances = IntIn(one.given, "total", 0);
  for (const auto* slots : {&idle, &active}) {
    for (const int slot : *slots) instances = std::max(instances, slot + 1);
  }
  const int done = instances - static_cast<int>(idle.size() + active.size());
  const bool batch = one.given.value("strategy", "") == "batch";
  const int end = GroupEnd(sizes, batch, done, static_cast<int>(active.size()));
  Table table({{"desired", instances}, {"max_surge", instances}}, instances);
  table.strategy().stages = {{{end}, std::nullopt}};
  for (int i = 0; i < instances; ++i) {
    const bool is_active = std::ranges::find(active, i) != active.end();
    if (!is_active && std::ranges::find(idle, i) == idle.end()) {
      table.PutDone(i);
      continue;
    }
    table.Put(i, Presence::kOrdinary, "v1", true);
    if (is_active) table.Put(i, Presence::kSurge, "v2", false).roll_id = table.maker().app.roll->id;
  }
  table.Plan();
  return {.ours = {{"next", table.Begun()}}};
}

// One slot of one app; Aurora stops first, so ours has no surge.
Answer InstanceAction(const Case& one) {
  const Json& given = one.given;
  const bool wanted = !given.at("desired_def").is_null();
  const bool is_new = given.at("actual_def") == given.at("desired_def");
  const std::string state = given.at("state").is_null() ? "" : given.at("state").get<std::string>();
  Table table(given, wanted ? 1 : 0);
  AppMaker& maker = table.maker();
  table.strategy().max_failures = IntIn(given, "tolerated", 0) + 1;
  table.strategy().on_failure = OnFailure::kHold;
  maker.app.roll->proved_at.reset();
  maker.app.definitions.at({1, DefinitionId("v1")}).proven_at.reset();  // nothing to go back to
  const bool killing = state == "KILLING";
  table.strategy().max_surge = {killing ? 0 : 1};
  if (!state.empty() && !is_new && state != "KILLED" && state != "FAILED" && state != "FINISHED") {
    ActualLrp& old = table.Put(0, killing ? Presence::kRetiring : Presence::kOrdinary, "v1", !killing);
    if (killing) old.stop_ordered_at = maker.moment.now;
    if (killing) maker.Add(0, Presence::kOrdinary, "v2").roll_id = maker.app.roll->id;
  } else if (!state.empty() && is_new) {
    if (state != "PENDING" && state != "ASSIGNED" && state != "STARTING" && state != "RUNNING" && state != "FAILED" &&
        state != "FINISHED" && state != "KILLED" && state != "LOST") {
      return Unmapped("state " + state + " of a new instance has no counterpart");
    }
    ActualLrp& lrp = state == "PENDING" ? maker.Add(0, Presence::kOrdinary, "v2")
                                        : table.Put(0, Presence::kOrdinary, "v2", state == "RUNNING");
    lrp.roll_id = maker.app.roll->id;
    const bool watched = given.at("watch_over").is_boolean() && given["watch_over"].get<bool>();
    if (state == "RUNNING" && !watched) lrp.routable_since = maker.moment.now;
    for (int i = 0; i < IntIn(given, "failures", 0); ++i) ++maker.app.slot_logs[0].failed_attempts;
    if (state == "FAILED" || state == "FINISHED" || state == "KILLED") {
      const InstanceRef ref{lrp.id, lrp.instance_guid, lrp.cell_id};
      AppEdit edit(maker.app, maker.moment, "cell");
      (void)DecideCrash(edit, ref, "it ended");
      (void)edit.Finish();
    }
  }
  table.Plan();
  std::string action = "wait";
  const bool started = !table.plan().to_place.empty() && !table.Begun().empty();
  if (table.LastState() == RollState::kHeld)
    action = "failed";
  else if (started)
    action = "start_new";
  else if (!table.Stopped().empty())
    action = "stop_old";
  else if (table.Completed())
    action = "succeeded";
  const bool old_runs = !is_new && state == "RUNNING";
  return {.ours = {{"action", action}},
          .rule = old_runs && action == "start_new" ? "One slot's way: with surge the new one is started first" : ""};
}

// Canaries are newcomers beside the old ones; promoted, they take their slots.
Answer Promote(const Case& one) {
  Table table(one.given);
  const int canaries = static_cast<int>(Ints(one.given, "canary_indices").size());
  const bool promoted = one.given.value("promoted", false);
  if (!promoted) table.strategy().stages = {{{canaries}, std::nullopt}};
  for (int i = 0; i < table.instances(); ++i) table.Put(i, Presence::kOrdinary, "v1", true);
  for (const int i : Ints(one.given, "canary_indices")) {
    table.Put(i, Presence::kSurge, "v2", true).roll_id = table.maker().app.roll->id;
  }
  table.Plan();
  return {.ours = {{"stop_indices", table.Stopped()},
                   {"replace_indices", table.Replaced()},
                   {"status", table.Completed() ? "successful" : "running"}},
          .rule = promoted || !table.WaitsAtStage() ? "" : "stages: a canary is a slot that was handed over"};
}

// Old instances that never stop: how far does it go?
Answer StartFirst(const Case& one) {
  Table table(one.given);
  table.Lay(one.given);
  AppMaker& maker = table.maker();
  const bool never_stops = one.given.value("old_never_stops", false);
  table.strategy().stop_timeout = std::chrono::hours(100);
  maker.Run(
      [&](AppMaker& m) {
        std::map<ActualId, ActualLrp> stuck;
        for (const auto& [id, lrp] : m.app.actuals) {
          if (lrp.stop_ordered_at) stuck.emplace(id, lrp);
        }
        HonestCells(m);
        if (never_stops) m.app.actuals.insert(stuck.begin(), stuck.end());
      },
      seconds(11), 10 * (table.instances() + 1));
  const int alive = static_cast<int>(maker.app.actuals.size());
  const int ceiling = table.instances() + ResolveLimits(table.strategy(), table.instances()).max_surge;
  return {
      .ours = {{"new", table.Live("v2")}, {"old_stopping", maker.Count(Presence::kRetiring)}, {"total_alive", alive}},
      .rule = alive <= ceiling ? "Ceiling: RETIRING rows count until they are gone" : ""};
}

Answer NodeLoss(const Case& one) {
  Table table = NomadTable(one.given);
  table.Lay(one.given);
  if (one.given.value("status", "") == "failed") table.maker().app.roll->state = RollState::kHeld;
  for (const int i : Ints(one.given, "lost_indices")) {
    if (ActualLrp* lrp = table.maker().Of(i, Presence::kOrdinary)) lrp->cell_id = CellId("lost");
  }
  const std::vector<int> draining = Ints(one.given, "draining_indices");
  Moment& moment = table.maker().moment;
  if (!draining.empty()) moment.cells[CellId("draining")] = {moment.now + std::chrono::hours(1), true};
  for (const int i : draining) {
    if (ActualLrp* lrp = table.maker().Of(i, Presence::kOrdinary)) lrp->cell_id = CellId("draining");
  }
  table.Plan();
  const std::vector<int> begun = table.Begun();
  const bool replaced = !draining.empty() && std::ranges::includes(begun, draining);
  return {.ours = {{"place_indices", begun}, {"stop_indices", table.Stopped()}, {"replace_indices", Json::array()}},
          .rule = !replaced ? "" : "a cell drains: EVACUATING, surge-first; the old one serves until its replacement is ready"};
}

// An app that must never run twice does not start while an old one may be alive. UNKNOWN: its cell is missing.
Answer OldAlive(const Case& one) {
  Json given = one.given;
  given["desired"] = 1;
  Table table(given);
  table.strategy().mode = Mode::kRecreate;
  AppMaker& maker = table.maker();
  for (const Json& state : given.at("old_states")) {
    const std::string name = state.get<std::string>();
    if (name == "FAILED" || name == "SUCCEEDED") {
      ActualLrp& lrp = maker.Add(0, Presence::kRetiring, "v1");
      lrp.state = LrpState::kCrashed;
    } else if (name == "UNKNOWN") {
      table.Put(0, Presence::kSuspect, "v1", true).cell_id = CellId("missing");
      maker.moment.cells[CellId("missing")] = {maker.moment.now, false, true};  // since just now
    } else if (name == "PENDING" || name == "RUNNING" || name == "status_only") {
      ActualLrp& lrp = table.Put(0, Presence::kRetiring, "v1", false);
      lrp.stop_ordered_at = maker.moment.now;
      if (name != "RUNNING") lrp.state = LrpState::kClaimed;
    } else {
      return Unmapped("state " + name + " has no counterpart");
    }
  }
  maker.Add(0, Presence::kOrdinary, "v2").roll_id = maker.app.roll->id;
  table.Plan();
  return {.ours = {{"alive", table.plan().to_place.empty()}}};
}

Answer DefinitionGc(const Case& one) {
  AppMaker maker(1);
  maker.app.roll.reset();
  maker.app.definitions.clear();
  Definition active;
  active.id = DefinitionId("active");
  maker.app.definitions[{1, active.id}] = active;
  maker.app.desired->active = maker.app.desired->healthy = active.id;
  int number = 0;
  for (const Json& generation : one.given.at("generations")) {
    if (generation.is_string()) continue;  // being deleted: it is no row any more
    Definition definition;
    definition.id = DefinitionId("old-" + std::to_string(++number));
    definition.proven_at = maker.moment.now;
    maker.app.definitions[{1, definition.id}] = definition;
    for (int i = 0; i < generation.value("running", 0); ++i) {
      AppMaker::Start(maker.Add(i, Presence::kRetiring, definition.id.str()), maker.moment.now);
    }
    for (int i = generation.value("running", 0); i < generation.value("wanted", 0); ++i) {
      maker.Add(i, Presence::kOrdinary, definition.id.str());
    }
  }
  const auto gone = Unreferenced(maker.app, one.given.value("history_limit", 0));
  return {.ours = {{"deleted", static_cast<int>(gone.size())}}};
}

// A weight of the whole is a stage.
Answer WeightedStep(const Case& one) {
  if (one.given.contains("older")) return Unmapped("a weight beside three generations has no counterpart");
  const int weight = IntIn(one.given, "weight", 100);
  const bool whole = weight >= 100 || one.given.value("promote_full", false);
  Json given = one.given;
  const bool back = weight == 0 && !whole;  // the same machine with source and target exchanged
  if (back) std::swap(given["old"], given["new"]);
  Table table(given);
  if (!whole && !back) table.strategy().stages = {{{weight, true}, std::nullopt}};
  table.Lay(given);
  const int before = table.Rows();
  table.Plan();
  const int old = table.Live(back ? "v2" : "v1");
  const int fresh = table.Live(back ? "v1" : "v2");
  const Strategy& strategy = table.strategy();
  const int instances = table.instances();
  Answer answer{.ours = {{"old_spec", old}, {"new_spec", fresh}}};
  const int limit = strategy.stages.empty() ? instances : strategy.stages[0].instances.RoundedUp(instances);
  if (limit * 100 != weight * instances && !whole && !back) {
    answer.rule = "stages: at least one instance, a percentage rounds up";
  }
  if (IntIn(given.at("new"), "available", 0) > limit) {
    answer.rule = "stages: a slot that was handed over stays so; a stage only stops the next ones";
  }
  if (IntIn(given.at("old"), "unavailable", 0) > 0 && answer.rule.empty()) {
    answer.rule = "A slot that serves nobody is filled first, and not counted against the ceiling";
  }
  if (before > instances + ResolveLimits(strategy, instances).max_surge) {
    answer.rule = "Ceiling: it binds commits that add a newcomer; what is there stays";
  }
  if (strategy.max_surge.value > 0 && strategy.max_unavailable.value > 0) {
    answer.rule = "One slot's way: where there is a surge, the old one stays until the new one is ready";
  }
  if (!table.KeptTheFloor()) answer.rule.clear();
  return answer;
}

// What there is of each version wherever the roll stops. Without weights it stops after one instance.
Answer CanaryPlan(const Case& one) {
  Table table(one.given);
  AppMaker& maker = table.maker();
  maker.RunAll("v1");
  table.strategy().min_healthy_time = seconds(1);
  const Json weights = one.given.contains("weights") ? one.given["weights"] : Json();
  if (weights.is_null()) table.strategy().stages = {{{1}, std::nullopt}};
  for (const Json& weight : weights.is_array() ? weights : Json::array()) {
    table.strategy().stages.push_back({{weight.get<int>(), true}, std::nullopt});
  }
  Json steps = Json::array();
  for (int i = 0; i < 20 * (table.instances() + 1) && maker.app.roll; ++i) {
    table.Plan();
    if (table.WaitsAtStage()) {
      steps.push_back({{"new", table.Live("v2")}, {"old", table.Live("v1")}});
      AppEdit edit(maker.app, maker.moment, "test");
      (void)ApplyRollEvent(edit, RollEvent::kPromote, "the test");
      (void)edit.Finish();
    }
    HonestCells(maker);
    maker.Wait(seconds(2));
  }
  // Theirs have one old instance more at each stop. A stop at all instances is none here.
  Json theirs_here = Json::array();
  for (Json step : one.expect.at("steps")) {
    step["old"] = table.instances() - step.at("new").get<int>();
    if (step["old"] > 0) theirs_here.push_back(step);
  }
  return {.ours = {{"steps", steps}},
          .rule = steps == theirs_here
                      ? "One slot's way: the old instance of a slot that was handed over goes, at a stage too"
                      : ""};
}

}  // namespace baton::cases
