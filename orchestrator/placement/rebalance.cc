#include "orchestrator/placement/rebalance.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace baton {
namespace {

// With a difference of one, a move would only change who has more.
constexpr int kUneven = 2;

struct Found {
  CellId from;
  Move move;
};

class Seats {
 public:
  Seats(const Definition& definition, const std::vector<CellId>& seats, std::vector<CellOffer> cells)
      : definition_(definition), cells_(std::move(cells)) {
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      cells_[i].instances_of_app = 0;
      at_[cells_[i].id] = i;
      in_zone_[cells_[i].zone];
    }
    for (std::size_t i = 0; i < seats.size(); ++i) {
      on_cell_[seats[i]].push_back(i);
      Count(Of(seats[i]), 1);
    }
  }

  // The move that gains most: over zones rather than over cells.
  std::optional<Found> Best() {
    std::optional<Found> best;
    std::pair<int, int> best_gain;
    for (const auto& [zone, cell] : Fullest()) {
      CellOffer& from = Of(cell);
      Count(from, -1);
      const Placement placement = Place(definition_, from.id, cells_);
      Count(from, 1);
      if (!placement.cell || *placement.cell == from.id) continue;
      const CellOffer& to = Of(*placement.cell);
      if (!Evens(from, to)) continue;
      const std::pair gain(ZoneGain(from, to), from.instances_of_app - to.instances_of_app);
      if (best && gain <= best_gain) continue;
      best = Found{cell, {on_cell_.at(cell).back(), to.id, Why(from, to)}};
      best_gain = gain;
    }
    return best;
  }

  void Follow(const Found& found) {
    CellOffer& from = Of(found.from);
    CellOffer& to = Of(found.move.to);
    Count(from, -1);
    Count(to, 1);
    on_cell_.at(found.from).pop_back();
    to.free.memory_mb -= definition_.resources.memory_mb;
    to.free.disk_mb -= definition_.resources.disk_mb;
    to.free.pids -= definition_.resources.pids;
    to.free.containers -= 1;
    to.free_ports -= static_cast<int>(definition_.ports.size());
    ++to.instances;
  }

  // Why none of the cells that have fewer takes one; empty: none has so few that a move would help.
  std::string Blocked() const {
    std::map<CellId, std::string> why;
    for (const auto& [zone, from] : Fullest()) {
      for (const CellOffer& to : cells_) {
        if (!Evens(Of(from), to)) continue;
        if (std::string refused = WhyNot(definition_, to); !refused.empty()) why[to.id] = refused;
      }
    }
    std::string text;
    for (const auto& [cell, refused] : why) text += (text.empty() ? "" : "; ") + cell.str() + ": " + refused;
    return text;
  }

 private:
  CellOffer& Of(const CellId& id) { return cells_[at_.at(id)]; }
  const CellOffer& Of(const CellId& id) const { return cells_[at_.at(id)]; }

  void Count(CellOffer& cell, int sign) {
    cell.instances_of_app += sign;
    in_zone_[cell.zone] += sign;
  }

  int ZoneGain(const CellOffer& from, const CellOffer& to) const {
    return in_zone_.at(from.zone) - in_zone_.at(to.zone);
  }

  // Zones get nearer to each other; or they differ as much as before, and cells get nearer. So moves come to an end.
  bool Evens(const CellOffer& from, const CellOffer& to) const {
    if (ZoneGain(from, to) >= kUneven) return true;
    const bool zones_stay = from.zone == to.zone || ZoneGain(from, to) == kUneven - 1;
    return zones_stay && from.instances_of_app - to.instances_of_app >= kUneven;
  }

  // Of each zone the cell that has most: a move from another one gains no more.
  std::map<std::string, CellId> Fullest() const {
    std::map<std::string, CellId> fullest;
    for (const auto& [cell, seats] : on_cell_) {
      if (seats.empty()) continue;
      const auto [at, fresh] = fullest.emplace(Of(cell).zone, cell);
      if (!fresh && Of(cell).instances_of_app > Of(at->second).instances_of_app) at->second = cell;
    }
    return fullest;
  }

  std::string Why(const CellOffer& from, const CellOffer& to) const {
    const auto words = [](const std::string& of, int has, const std::string& other, int other_has) {
      return of + " has " + std::to_string(has) + " of its instances, " + other + " has " + std::to_string(other_has);
    };
    if (ZoneGain(from, to) < kUneven) {
      return words("cell " + from.id.str(), from.instances_of_app, to.id.str(), to.instances_of_app);
    }
    return words("zone " + from.zone, in_zone_.at(from.zone), to.zone, in_zone_.at(to.zone));
  }

  const Definition& definition_;
  std::vector<CellOffer> cells_;
  std::map<CellId, std::size_t> at_;
  std::map<std::string, int> in_zone_;  // instances of the app
  std::map<CellId, std::vector<std::size_t>> on_cell_;  // that have not been moved
};

}  // namespace

Moves PlanMoves(const Definition& definition, const std::vector<CellId>& seats, std::vector<CellOffer> cells, int most) {
  Seats table(definition, seats, std::move(cells));
  Moves planned;
  std::optional<Found> found = table.Best();
  for (; found && static_cast<int>(planned.moves.size()) < most; found = table.Best()) {
    table.Follow(*found);
    planned.moves.push_back(std::move(found->move));
  }
  planned.more = found.has_value();
  if (planned.moves.empty() && !planned.more) planned.blocked = table.Blocked();
  return planned;
}

}  // namespace baton
