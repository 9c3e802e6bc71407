// An app whose rows are written as honest cells write them, by the planner and the placement together.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "orchestrator/app/apps/rebalance.h"
#include "orchestrator/app/leader/drive.h"
#include "orchestrator/placement/fleet.h"
#include "tests/orchestrator/roll/app_maker.h"

namespace baton {

inline const CellId kA("a");
inline const CellId kB("b");

// Two to five cells in one to three zones.
template <class Below>
std::map<CellId, std::string> AnyZones(Below below) {
  std::map<CellId, std::string> zones;
  const std::size_t zones_max = 1 + below(3);
  for (std::size_t i = 0, count = 2 + below(4); i < count; ++i) {
    zones[CellId("cell-" + std::to_string(i))] = "z" + std::to_string(i % zones_max);
  }
  return zones;
}

class Spread {
 public:
  Spread(int instances, std::map<CellId, std::string> zones, Resources room = {.memory_mb = 1 << 20, .containers = 1000})
      : maker_(instances), zones_(std::move(zones)), room_(room) {
    maker_.app.desired->active = maker_.app.desired->healthy = DefinitionId("v1");
    Settle();
  }

  void Drain(const CellId& cell, bool on) {
    on ? draining_.insert(cell).second : draining_.erase(cell) > 0;
    Settle();
  }
  // With all that it runs; it comes back empty.
  void LoseAndReturn(const CellId& cell) {
    lost_.insert(cell);
    Settle();
    lost_.erase(cell);
    Settle();
  }
  void Roll() {
    const DefinitionId source = maker_.app.desired->active;
    const DefinitionId target(source.str() == "v1" ? "v2" : "v1");
    maker_.app.desired->active = target;
    AppEdit edit(maker_.app, maker_.moment, "test");
    baton::Roll roll;
    roll.incarnation = 1;
    roll.source = source;
    roll.target = target;
    roll.deadline = maker_.moment.now + maker_.strategy().progress_deadline;
    edit.OpenRoll(std::move(roll));
    (void)edit.Finish();
    Settle();
    EXPECT_EQ(maker_.ReadyOf(target.str()), maker_.app.desired->instances);
  }

  std::map<CellId, int> OnCells() const {
    std::map<CellId, int> count;
    for (const auto& [cell, zone] : zones_) {
      if (!draining_.contains(cell)) count[cell] = 0;
    }
    for (const auto& [id, lrp] : maker_.app.actuals) ++count[lrp.cell_id];
    return count;
  }
  // The most that two zones differ, and two cells of one zone.
  std::pair<int, int> Differences() const {
    std::map<std::string, int> in_zone;
    std::map<std::string, std::vector<int>> on_cells;
    for (const auto& [cell, count] : OnCells()) {
      in_zone[zones_.at(cell)] += count;
      on_cells[zones_.at(cell)].push_back(count);
    }
    std::vector<int> zones;
    for (const auto& [zone, count] : in_zone) zones.push_back(count);
    int cells = 0;
    for (const auto& [zone, counts] : on_cells) cells = std::max(cells, std::ranges::max(counts) - std::ranges::min(counts));
    return {std::ranges::max(zones) - std::ranges::min(zones), cells};
  }

  // One call of RebalanceInstances, and what comes of it.
  Rebalance Even(const RebalanceWish& wish) {
    Look();
    AppEdit edit(maker_.app, maker_.moment, "test");
    Rebalance rebalance;
    EXPECT_TRUE(DecideRebalance(edit, FleetNow().Offers(maker_.app.guid, {}), wish, rebalance));
    (void)edit.Finish();
    if (!wish.dry_run) Settle();
    return rebalance;
  }
  // The least that were served since the last call.
  int LeastServed() { return std::exchange(least_served_, maker_.app.desired->instances); }
  AppMaker& maker() { return maker_; }

 private:
  static constexpr int kRoundsMax = 2000;

  void Settle() {
    int quiet = 0;
    for (int round = 0; round < kRoundsMax && quiet < 30; ++round) quiet = Round() ? 0 : quiet + 1;
    EXPECT_FALSE(maker_.app.roll.has_value());
  }

  // True: something is under way.
  bool Round() {
    maker_.Wait(milliseconds(500));
    Look();
    AppEdit edit(maker_.app, maker_.moment, "baton");
    const Effects effects = RunPlanner(edit);
    (void)edit.Finish();
    Fleet fleet = FleetNow();
    for (const PlacementRequest& request : effects.to_place) {
      const Placement placement =
          fleet.Place(request.definition, request.guid, request.avoid, {}, *request.leaving);
      if (!placement.cell) continue;
      fleet.Hold(*placement.cell, request.id, request.guid, request.definition.resources);
      ActualLrp& lrp = maker_.app.actuals.at(request.id);
      AppMaker::Start(lrp, maker_.moment.now);
      lrp.cell_id = *placement.cell;
    }
    for (auto& [id, lrp] : maker_.app.actuals) {
      if (lrp.presence == Presence::kRetiring) lrp.drained_by = maker_.moment.consumers;
    }
    std::set<int> served;
    for (const auto& [id, lrp] : maker_.app.actuals) {
      if (lrp.routable && MayRun(lrp) && !lost_.contains(lrp.cell_id)) served.insert(lrp.index);
    }
    least_served_ = std::min(least_served_, static_cast<int>(served.size()));
    const std::size_t gone = std::erase_if(maker_.app.actuals, [](const auto& entry) { return entry.second.stop_ordered_at; });
    return gone > 0 || maker_.app.roll || !effects.to_place.empty() || effects.plan.wake_up_at;
  }

  void Look() {
    maker_.moment.cells.clear();
    for (const auto& [cell, zone] : zones_) {
      maker_.moment.cells[cell] = {maker_.moment.now + seconds(lost_.contains(cell) ? -60 : 60), draining_.contains(cell),
                                   lost_.contains(cell)};
    }
  }

  Fleet FleetNow() const {
    Fleet fleet;
    for (const auto& [id, zone] : zones_) {
      if (lost_.contains(id)) continue;
      CellOffer cell;
      cell.id = id;
      cell.zone = zone;
      cell.stacks = {""};
      cell.draining = draining_.contains(id);
      fleet.Set(cell, room_);
    }
    for (const auto& [id, lrp] : maker_.app.actuals) {
      if (MayRun(lrp)) fleet.Hold(lrp.cell_id, id, maker_.app.guid, {.containers = 1});
    }
    return fleet;
  }

  AppMaker maker_;
  std::map<CellId, std::string> zones_;
  Resources room_;
  std::set<CellId> draining_;
  std::set<CellId> lost_;
  int least_served_ = 0;
};

}  // namespace baton
