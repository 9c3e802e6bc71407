#include "tests/sim/oracle.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "orchestrator/model/names.h"
#include "orchestrator/roll/rules/collect.h"
#include "orchestrator/routing/resolve.h"
#include "tests/sim/ceiling.h"
#include "tests/sim/cell.h"
#include "tests/sim/router.h"
#include "tests/sim/world.h"

namespace baton::sim {
namespace {

int RoundUp(const IntOrPercent& value, int n) { return value.percent ? (value.value * n + 99) / 100 : value.value; }
int RoundDown(const IntOrPercent& value, int n) { return value.percent ? value.value * n / 100 : value.value; }

int SurgeOf(const Strategy& s, int n) {
  if (s.mode == Mode::kRecreate) return 0;
  const int surge = RoundUp(s.max_surge, n);
  return surge == 0 && RoundDown(s.max_unavailable, n) == 0 ? 1 : surge;
}
int UnavailableOf(const Strategy& s, int n) {
  const int unavailable = RoundDown(s.max_unavailable, n);
  return s.mode == Mode::kRecreate && unavailable == 0 ? 1 : unavailable;
}

// A roll goes by what the app had when it was opened.
const Strategy& StrategyNow(const AppState& app) { return app.roll ? app.roll->strategy : app.desired->strategy; }

bool IsGood(const DefinitionId& id) {
  return BehaviourOf(id) == Behaviour::kGood || BehaviourOf(id) == Behaviour::kSlow;
}

std::string Row(const ActualLrp& lrp) {
  return lrp.id.str() + " (slot " + std::to_string(lrp.index) + ", " + std::string(Name(lrp.presence)) + " " +
         std::string(Name(lrp.state)) + " of " + lrp.definition.str() + ")";
}

}  // namespace

bool Oracle::Ready(const AppState& app, const ActualLrp& lrp) const {
  if (lrp.state != LrpState::kRunning || !lrp.routable || !lrp.routable_since) return false;
  if (lrp.presence == Presence::kRetiring || lrp.presence == Presence::kSuspect) return false;
  if (*lrp.routable_since + StrategyNow(app).min_healthy_time > world_.now()) return false;
  if (world_.store().moment().Lost(lrp.cell_id)) return false;  // lost, not taken away
  const auto own = app.definitions.find({lrp.incarnation, lrp.definition});
  if (!HasEndpoint(app.desired->routes.mapped, lrp, Ports(own->second, app.desired->routes))) return true;
  // Of a new name is who came, or served for the first time, while the change was under way. A commit that opens or closes a roll
  // changes who that is, and takes away nothing by it.
  const Moment& moment = world_.store().moment();
  const auto began_with = [&](const std::optional<Roll>& roll) { return roll ? roll->opened_at : *lrp.routable_since; };
  const auto before = roll_before_.find(app.guid);
  const TimePoint began = std::min(began_with(app.roll), began_with(before == roll_before_.end() ? app.roll : before->second));
  return std::ranges::all_of(moment.consumers, [&](const ConsumerId& id) {
    return lrp.applied_by.contains(id) || !moment.CountsFor(id, began);
  });
}

int Oracle::Served(const AppState& app) const {
  if (!app.desired) return 0;
  std::set<int> served;
  for (const auto& [id, lrp] : app.actuals) {
    if (lrp.incarnation == app.desired->incarnation && Ready(app, lrp)) served.insert(lrp.index);
  }
  return static_cast<int>(served.size());
}

void Oracle::Before(const AppState& app) {
  roll_before_[app.guid] = app.roll;
  served_before_[app.guid] = Served(app);
  routes_.Before(app);
  if (app.desired) strategy_before_[app.guid] = StrategyNow(app);
  rows_before_[app.guid] = app.actuals;
  desired_before_[app.guid] = app.desired;
  hurting_before_[app.guid] = Hurting(app);
}

void Oracle::AfterDecision(const std::string& name, const AppState& app, const AppChanges& changes) {
  CheckShape(name, app);
  CheckRows(name, app, changes);
  CheckSteps(name, app, changes);
  CheckRetired(name, app, changes);
  CheckTags(name, app, changes);
  CheckInFlight(name, app, changes);
  CheckStage(name, app, changes);
  CheckHandedOver(name, app, changes);
  CheckAcknowledgements(name, app);
  CheckNothingInVain(name, app, changes);
}

void Oracle::CheckShape(const std::string& name, const AppState& app) {
  std::set<std::tuple<std::int64_t, int, Presence>> places;
  for (const auto& [id, lrp] : app.actuals) {
    if (!app.definitions.contains({lrp.incarnation, lrp.definition})) {
      world_.Broken("I14 after " + name + ": no definition for " + Row(lrp));
    }
    if (lrp.presence == Presence::kRetiring) continue;
    if (!places.emplace(lrp.incarnation, lrp.index, lrp.presence).second) {
      world_.Broken("I6 after " + name + ": two of a kind in a slot: " + Row(lrp));
    }
  }
  if (!app.desired) {
    if (app.roll) world_.Broken("I20 after " + name + ": a roll without an app");
    return;
  }
  if (app.roll) {
    const DefinitionId& goal = app.roll->state == RollState::kRollingBack ? app.roll->source : app.roll->target;
    if (goal != app.desired->active) world_.Broken("I7 after " + name + ": the roll goes elsewhere than active");
    const bool reason = app.roll->paused_by_hand || app.roll->stage_since;
    if ((app.roll->state == RollState::kPaused) != reason) {
      world_.Broken("after " + name + ": " + app.guid.str() + " is paused without a reason, or has one and is not");
    }
    if (!IsOpen(app.roll->state)) world_.Broken("I7 after " + name + ": a closed roll is still open");
  }
}

void Oracle::CheckRows(const std::string& name, const AppState& app, const AppChanges& changes) {
  if (!app.desired) {
    for (const ActualId& id : changes.inserted) {
      world_.Broken("I20 after " + name + ": made for a removed app: " + id.str());
    }
    return;
  }
  const int n = app.desired->instances;
  const Strategy& strategy = StrategyNow(app);
  const Strategy& at_first = strategy_before_.at(app.guid);
  const int unavailable = std::max(UnavailableOf(strategy, n), UnavailableOf(at_first, n));
  const int surge = std::max(SurgeOf(strategy, n), SurgeOf(at_first, n));
  const int served = Served(app);
  const std::string unserved = routes_.After(app, unavailable);
  if (!unserved.empty()) world_.Broken("I1 by route after " + name + ": " + unserved + "\n" + world_.Explain(app.guid));
  const int before = served_before_[app.guid];
  if (served < before && served < n - unavailable) {
    world_.Broken("I1 after " + name + ": " + app.guid.str() + " served " + std::to_string(before) + " slots, now " +
                  std::to_string(served) + " of " + std::to_string(n) + ", max_unavailable " +
                  std::to_string(unavailable));
  }
  const Ceiling ceiling{.rows = n + surge,
                        .surges = surge > 0,
                        .recreate = strategy.mode == Mode::kRecreate || at_first.mode == Mode::kRecreate,
                        .floor_at_stake = before < n - std::min(UnavailableOf(strategy, n), UnavailableOf(at_first, n)),
                        .count_stopping = strategy.count_stopping && at_first.count_stopping,
                        .stop_timeout = strategy.stop_timeout,
                        .now = world_.now(),
                        .lost = [this](const CellId& cell) { return world_.store().moment().Lost(cell); }};
  if (const std::string broken = CheckCeiling(ceiling, rows_before_[app.guid], app, changes); !broken.empty()) {
    world_.Broken("I2 after " + name + ": " + broken + "\n" + world_.Explain(app.guid));
  }
  const auto& rows_before = rows_before_[app.guid];
  for (const auto& [id, lrp] : app.actuals) {
    const auto old = rows_before.find(id);
    if (old == rows_before.end()) continue;
    if (old->second.definition != lrp.definition) world_.Broken("after " + name + ": definition changed: " + Row(lrp));
    if (old->second.presence == Presence::kRetiring && lrp.presence != Presence::kRetiring) {
      world_.Broken("I31 after " + name + ": came back from RETIRING: " + Row(lrp));
    }
  }
}

// A slot is given over only to what is ready (I3, I4), and nothing is begun but what the roll goes between (I9).
void Oracle::CheckSteps(const std::string& name, const AppState& app, const AppChanges& changes) {
  if (!app.desired) return;
  for (const RollStep& step : changes.steps) {
    const bool takes = step.kind == StepKind::kHandedOver || step.kind == StepKind::kProven;
    const auto row = app.actuals.find(step.actual_id);
    if (!takes || row == app.actuals.end() || row->second.presence == Presence::kRetiring) continue;
    if (!row->second.routable_since ||
        *row->second.routable_since + strategy_before_.at(app.guid).min_healthy_time > world_.now()) {
      world_.Broken("I4 after " + name + ": " + app.guid.str() +
                    " took a slot before it was ready: " + Row(row->second));
    }
  }
  std::set<DefinitionId> right{app.desired->active};
  for (const auto& roll : {roll_before_[app.guid], app.roll}) {
    if (roll) right.insert({roll->source, roll->target});
  }
  for (const ActualId& id : changes.inserted) {
    const ActualLrp& lrp = app.actuals.at(id);
    if (!right.contains(lrp.definition)) {
      world_.Broken("I9 after " + name + ": " + app.guid.str() + " begins what nobody asked for: " + Row(lrp));
    }
  }
}

// +1 with each commit that changes a row, and never otherwise; another epoch only for another incarnation (I30, I22).
void Oracle::CheckTags(const std::string& name, const AppState& app, const AppChanges& changes) {
  const auto& rows_before = rows_before_[app.guid];
  for (const auto& [id, lrp] : app.actuals) {
    const auto old = rows_before.find(id);
    if (changes.inserted.contains(id) || old == rows_before.end()) continue;
    const std::uint32_t step = changes.changed.contains(id) ? 1 : 0;
    if (lrp.tag.epoch != old->second.tag.epoch || lrp.tag.index != old->second.tag.index + step) {
      world_.Broken("I30 after " + name + ": " + app.guid.str() + " tag " + std::to_string(old->second.tag.index) +
                    " became " + std::to_string(lrp.tag.index) + ": " + Row(lrp));
    }
  }
  const auto& before = desired_before_[app.guid];
  if (!app.desired || !before || before->incarnation != app.desired->incarnation) return;
  const bool fresh = before->tag.index == 0 && app.desired->tag.index == 0;  // desired by this very call
  if (before->tag.epoch != app.desired->tag.epoch ||
      (!fresh && app.desired->tag.index != before->tag.index + (changes.desired ? 1 : 0))) {
    world_.Broken("I30 after " + name + ": the tag of " + app.guid.str() + " became " +
                  std::to_string(app.desired->tag.index));
  }
}

// A newcomer beside an old instance is made only while fewer slots than max_in_flight are being changed.
void Oracle::CheckInFlight(const std::string& name, const AppState& app, const AppChanges& changes) {
  if (!app.desired || !app.roll || app.roll->source.empty()) return;
  const Strategy& strategy = StrategyNow(app);
  const int n = app.desired->instances;
  std::set<int> changing;
  bool made = false;
  for (const auto& [id, lrp] : app.actuals) {
    if (lrp.incarnation != app.desired->incarnation || lrp.index >= n) continue;
    // One of a superseded roll that alone serves its slot may still be there beside the new roll's first.
    const bool surge = lrp.presence == Presence::kSurge && lrp.definition == app.desired->active;
    made |= surge && changes.inserted.contains(id);
    const bool overdue = lrp.stop_ordered_at && *lrp.stop_ordered_at + strategy.stop_timeout <= world_.now();
    const bool stops = lrp.presence == Presence::kRetiring && strategy.count_stopping && !overdue;
    if (surge || stops) changing.insert(lrp.index);
  }
  const int most = strategy.mode == Mode::kRecreate ? 1 : std::max(1, RoundUp(strategy.max_in_flight, n));
  if (made && static_cast<int>(changing.size()) > most) {
    world_.Broken("in flight after " + name + ": " + app.guid.str() + " changes " + std::to_string(changing.size()) +
                  " slots, " + std::to_string(most) + " allowed");
  }
}

// What was begun towards the goal is not undone in the same commit: two rules that disagree could go on for ever. (The
// other way about is right: a hand-over may take the last use of the source away; and so is a roll that stops.)
void Oracle::CheckNothingInVain(const std::string& name, const AppState& app, const AppChanges& changes) {
  if (!app.roll || std::ranges::count(changes.steps, StepKind::kState, &RollStep::kind) > 0) return;
  std::map<int, DefinitionId> made;
  for (const RollStep& step : changes.steps) {
    const bool makes = step.kind == StepKind::kFilled || step.kind == StepKind::kRepaired;
    if (!makes || rows_before_[app.guid].contains(step.actual_id)) continue;
    const auto [first, fresh] = made.emplace(step.index, step.definition);
    if (fresh || first->second != app.desired->active || step.definition == app.desired->active) continue;
    world_.Broken("after " + name + ": " + app.guid.str() + " slot " + std::to_string(step.index) + " was given " +
                  first->second.str() + " and then " + step.definition.str() + " in one commit");
  }
}

// A newcomer is made only as far as the next stage goes.
void Oracle::CheckStage(const std::string& name, const AppState& app, const AppChanges& changes) {
  if (!app.desired || !app.roll || app.roll->source.empty() || app.roll->state != RollState::kRolling) return;
  const auto& stages = StrategyNow(app).stages;
  const auto next = static_cast<std::size_t>(app.roll->stages_done);
  const int n = app.desired->instances;
  if (next >= stages.size()) return;
  const int most = std::max(1, RoundUp(stages[next].instances, n));
  std::set<int> begun;
  bool made = false;
  for (const auto& [id, lrp] : app.actuals) {
    const auto hash = [&](const DefinitionId& d) { return app.definitions.at({lrp.incarnation, d}).content_hash; };
    if (lrp.incarnation != app.desired->incarnation || lrp.index >= n) continue;
    if (hash(lrp.definition) != hash(app.roll->target)) continue;
    if (lrp.presence != Presence::kOrdinary && lrp.presence != Presence::kSurge) continue;
    begun.insert(lrp.index);
    made |= lrp.presence == Presence::kSurge && changes.inserted.contains(id);
  }
  if (made && static_cast<int>(begun.size()) > most && most < n) {
    world_.Broken("stage after " + name + ": " + app.guid.str() + " has begun " + std::to_string(begun.size()) +
                  " slots, the stage is at " + std::to_string(most));
  }
}

void Oracle::CheckAcknowledgements(const std::string& name, const AppState& app) {
  for (const auto& [id, lrp] : app.actuals) {
    for (const auto& router : world_.routers()) {
      if (lrp.applied_by.contains(router->id()) && !router->HasServed(id, lrp.instance_guid)) {
        world_.Broken("after " + name + ": " + router->id().str() + " is said to serve what it never had: " + Row(lrp));
      }
    }
  }
}

bool Oracle::Settled() const {
  for (const auto& [guid, app] : world_.store().apps()) {
    if (world_.LeadershipOf(guid).away()) continue;
    if (app.roll && app.roll->state != RollState::kHeld) return false;
    // What is bad is tried again for ever, and only that: nothing more comes of it.
    std::set<int> hopeless;
    for (const auto& [id, lrp] : app.actuals) {
      if (!app.desired || lrp.presence != Presence::kOrdinary) return false;
      if (Ready(app, lrp)) continue;
      const DefinitionId& wanted = app.roll ? app.roll->source : app.desired->active;
      if (IsGood(lrp.definition) || (!wanted.empty() && IsGood(wanted))) return false;
      hopeless.insert(lrp.index);
    }
    if (!app.desired) continue;
    if (Served(app) + static_cast<int>(hopeless.size()) != app.desired->instances) return false;
  }
  return true;
}

void Oracle::EndOf(const AppState& app) {
  const std::string who = app.guid.str() + ": ";
  if (!app.desired) {
    if (!app.actuals.empty()) world_.Broken("I20 at the end: " + who + "instances of a removed app are left");
    return;
  }
  // Held waits for a person; going back to a bad version has no limit, and no end.
  const bool held = app.roll && (app.roll->state == RollState::kHeld ||
                                 (app.roll->state == RollState::kRollingBack && !IsGood(app.roll->source)));
  if (app.roll && !held) {
    world_.Broken("I8 at the end: " + who + "the roll to " + Goal(*app.roll).str() + " is still " +
                  std::string(Name(app.roll->state)) + "\n" + world_.Explain(app.guid));
    return;
  }
  const bool gaps = !app.past_rolls.empty() && app.past_rolls.front().state == RollState::kCompletedWithGaps;
  std::set<int> served;
  for (const auto& [id, lrp] : app.actuals) {
    if (lrp.incarnation != app.desired->incarnation) {
      return world_.Broken("I20 at the end: " + who + "of an earlier incarnation: " + Row(lrp));
    }
    if (held && !Ready(app, lrp)) continue;  // a held bad version may have nothing good to fall back on
    // What has to go serves on for as long as its replacement does not; so does a newcomer of a held roll that alone
    // serves a route in its slot.
    const bool goes_on = lrp.presence == Presence::kEvacuating || (held && lrp.presence == Presence::kSurge);
    const bool serves_on = goes_on && (held || gaps || !IsGood(app.desired->active));
    if (lrp.presence != Presence::kOrdinary && !serves_on) {
      world_.Broken("I8 at the end: " + who + "left over: " + Row(lrp));
    }
    const bool has_to_go = lrp.retire_asked || world_.store().moment().Draining(lrp.cell_id);
    if (MayRun(lrp) && has_to_go && !serves_on && !held && IsGood(app.desired->active)) {
      world_.Broken("at the end: " + who + "it should have gone: " + Row(lrp) + "\n" + world_.Explain(app.guid));
    }
    // Trimming waits while what is above the count serves in place of slots that do not.
    const bool needed = Ready(app, lrp) &&
                        Served(app) <= app.desired->instances - UnavailableOf(StrategyNow(app), app.desired->instances);
    if (lrp.index >= app.desired->instances && !held && !needed)
      world_.Broken("I10 at the end: " + who + "above the count: " + Row(lrp));
    if (!held && !gaps && lrp.definition != app.desired->active &&
        app.definitions.at({lrp.incarnation, lrp.definition}).content_hash !=
            app.definitions.at({lrp.incarnation, app.desired->active}).content_hash) {
      world_.Broken("I8 at the end: " + who + "not of the active " + app.desired->active.str() + ": " + Row(lrp));
    }
    if (Ready(app, lrp) && lrp.index < app.desired->instances) served.insert(lrp.index);
  }
  // A held roll starts its source; one that was proven by an instance that was lost in the moment of its crash is bad.
  const bool holds_bad =
      held && app.roll->state == RollState::kHeld && !app.roll->source.empty() && !IsGood(app.roll->source);
  const bool can_serve =
      (IsGood(app.desired->active) && !holds_bad) ||
      (held && app.roll->state == RollState::kHeld && !app.roll->source.empty() && IsGood(app.roll->source) &&
       app.definitions.at({app.desired->incarnation, app.roll->source}).proven_at);
  // One that dies late may be proven, and is what a held roll starts.
  const bool dies = held && !app.roll->source.empty() && BehaviourOf(app.roll->source) == Behaviour::kDies;
  if (can_serve && !dies && !gaps && static_cast<int>(served.size()) != app.desired->instances) {
    world_.Broken("I8 at the end: " + who + std::to_string(served.size()) + " of " +
                  std::to_string(app.desired->instances) + " slots are served\n" + world_.Explain(app.guid));
  }
}

void Oracle::AtEnd() {
  CheckProcesses();
  for (auto& [guid, app] : world_.store().apps()) {
    if (world_.LeadershipOf(guid).away()) continue;
    EndOf(app);
    // Two passes of the collector leave what is active, healthy, held, and the history.
    for (int pass = 0; pass < 2; ++pass) {
      for (const DefinitionKey& key : Unreferenced(app, kHistoryDefault)) {
        if (!world_.store().DeleteDefinition(guid, key)) {
          world_.Broken("I14 at the end: the collector named " + key.id.str() + " of " + guid.str() +
                        ", which is held");
        }
      }
    }
    const std::size_t most = app.desired ? 2 + kHistoryDefault + app.actuals.size() : 0;
    if (app.definitions.size() > most) {
      world_.Broken("I16 at the end: " + guid.str() + " keeps " + std::to_string(app.definitions.size()) +
                    " definitions");
    }
  }
}

}  // namespace baton::sim
