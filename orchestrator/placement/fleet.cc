#include "orchestrator/placement/fleet.h"

#include <algorithm>
#include <tuple>

#include "orchestrator/placement/egress.h"

namespace baton {
namespace {

constexpr std::size_t kErrorBytes = 900;  // of placement errors 1,024 are kept (Diego)

bool HasRoom(const Definition& d, const CellOffer& cell) {
  return cell.free.containers >= 1 && cell.free.memory_mb >= d.resources.memory_mb &&
         cell.free.disk_mb >= d.resources.disk_mb && (!cell.pids_limited || cell.free.pids >= d.resources.pids) &&
         (cell.host_ports == 0 || cell.free_ports >= static_cast<int>(d.ports.size()));
}

int Staying(int held, const CellId& cell, const Leaving& leaving) {
  const auto at = leaving.find(cell);
  return at == leaving.end() ? held : std::max(0, held - at->second);
}

// As if it had room for everything: what is left to say against it is not a matter of room.
CellOffer WithEndlessRoom(CellOffer cell) {
  cell.free = {std::int64_t{1} << 50, std::int64_t{1} << 50, std::int64_t{1} << 50, 1};
  cell.host_ports = 0;
  return cell;
}

}  // namespace

void Fleet::Set(const CellOffer& offer, const Resources& capacity) {
  const auto [at, fresh] = places_.emplace(offer.id, cells_.size());
  if (fresh) cells_.emplace_back();
  Cell& cell = cells_[at->second];
  cell.offer = offer;
  cell.capacity = capacity;
  cell.zone = zones_.emplace(offer.zone, static_cast<int>(zones_.size())).first->second;
  cell.open = true;
  cell.offer.free = capacity;
  cell.offer.free_ports = offer.host_ports;
  cell.offer.pids_limited = capacity.pids > 0;
  cell.offer.instances = 0;
  for (const auto& [id, held] : cell.held) Account(cell, held, 1);
  fitting_.clear();
}

void Fleet::Close(const CellId& id) {
  if (const auto at = places_.find(id); at != places_.end()) cells_[at->second].open = false;
}

void Fleet::Account(Cell& cell, const Held& held, int sign) {
  cell.offer.free.memory_mb -= sign * held.resources.memory_mb;
  cell.offer.free.disk_mb -= sign * held.resources.disk_mb;
  cell.offer.free.pids -= sign * held.resources.pids;
  cell.offer.free.containers -= sign;
  cell.offer.free_ports -= sign * held.ports;
  cell.offer.instances += sign;
}

void Fleet::Hold(const CellId& id, const ActualId& actual, const ProcessGuid& guid, const Resources& resources,
                 int ports, Word word) {
  Release(id, actual);
  const auto [at, fresh] = places_.emplace(id, cells_.size());
  if (fresh) {
    cells_.emplace_back();
    cells_.back().offer.id = id;
    fitting_.clear();
  }
  Cell& cell = cells_[at->second];
  const Held& held = cell.held.emplace(actual, Held{guid, resources, ports, word, audit_}).first->second;
  Account(cell, held, 1);
  ++of_app_[guid][at->second];
}

void Fleet::Release(const CellId& id, const ActualId& actual) {
  const auto at = places_.find(id);
  if (at == places_.end()) return;
  Cell& cell = cells_[at->second];
  const auto held = cell.held.find(actual);
  if (held == cell.held.end()) return;
  Account(cell, held->second, -1);
  const auto app = of_app_.find(held->second.guid);
  if (--app->second[at->second] == 0) app->second.erase(at->second);
  if (app->second.empty()) of_app_.erase(app);
  cell.held.erase(held);
}

void Fleet::ReleaseAll(const CellId& id) {
  const auto at = places_.find(id);
  if (at == places_.end()) return;
  while (!cells_[at->second].held.empty()) {
    const ActualId first = cells_[at->second].held.begin()->first;
    Release(id, first);
  }
}

bool Fleet::See(const CellId& id, const ActualId& actual) {
  const auto at = places_.find(id);
  if (at == places_.end()) return false;
  const auto held = cells_[at->second].held.find(actual);
  if (held == cells_[at->second].held.end() || held->second.word != Word::kOurs) return false;
  held->second.seen = audit_;
  return true;
}

std::vector<Fleet::Holding> Fleet::UnseenOf(const CellId& id) const {
  std::vector<Holding> unseen;
  const auto at = places_.find(id);
  if (at == places_.end()) return unseen;
  for (const auto& [actual, held] : cells_[at->second].held) {
    if (held.seen != audit_ && held.word == Word::kOurs) unseen.push_back({id, actual, held.guid});
  }
  return unseen;
}

std::vector<CellId> Fleet::Cells() const {
  std::vector<CellId> cells;
  for (const auto& [id, place] : places_) cells.push_back(id);
  return cells;
}

const ProcessGuid* Fleet::HolderOf(const CellId& id, const ActualId& actual) const {
  const auto at = places_.find(id);
  if (at == places_.end()) return nullptr;
  const auto held = cells_[at->second].held.find(actual);
  const bool ours = held != cells_[at->second].held.end() && held->second.word == Word::kOurs;
  return ours ? &held->second.guid : nullptr;
}

bool Fleet::Confirm(const CellId& id, const ActualId& actual, const ProcessGuid& guid) {
  const auto at = places_.find(id);
  if (at == places_.end()) return false;
  const auto held = cells_[at->second].held.find(actual);
  if (held == cells_[at->second].held.end()) return false;
  const Held known = held->second;
  Hold(id, actual, guid, known.resources, known.ports);
  return true;
}

Resources Fleet::Free(const CellId& id) const {
  const auto at = places_.find(id);
  return at == places_.end() ? Resources() : cells_[at->second].offer.free;
}

CellOffer Fleet::OfferOf(const CellId& id) const {
  const auto at = places_.find(id);
  return at == places_.end() ? CellOffer() : cells_[at->second].offer;
}

const std::vector<char>& Fleet::Fitting(const Definition& definition) const {
  const bool tolerant = Names(definition.needs, kEgressUnenforced);  // the same content, and less is asked
  std::vector<char>& fits = fitting_[definition.content_hash + (tolerant ? "/tolerant" : "")];
  if (fits.size() == cells_.size()) return fits;
  fits.clear();
  for (const Cell& cell : cells_) fits.push_back(WhyNot(definition, WithEndlessRoom(cell.offer)).empty() ? 1 : 0);
  return fits;
}

CellOffer Fleet::OfferTo(const Cell& cell, const ProcessGuid& guid, const Refused& refused,
                         const Leaving& leaving) const {
  CellOffer offer = cell.offer;
  if (const auto why = refused.find(offer.id); why != refused.end()) offer.refused = why->second;
  if (const auto app = of_app_.find(guid); app != of_app_.end()) {
    const auto count = app->second.find(places_.at(offer.id));
    if (count != app->second.end()) offer.instances_of_app = Staying(count->second, offer.id, leaving);
  }
  return offer;
}

std::vector<CellOffer> Fleet::Offers(const ProcessGuid& guid, const Refused& refused, const Leaving& leaving) const {
  std::vector<CellOffer> offers;
  for (const auto& [id, place] : places_) {
    if (cells_[place].open) offers.push_back(OfferTo(cells_[place], guid, refused, leaving));
  }
  return offers;
}

std::string Fleet::WhyNowhere(const Definition& definition, const ProcessGuid& guid, const Refused& refused) const {
  std::string errors;
  std::size_t told = 0;
  std::size_t open = 0;
  for (const auto& [id, place] : places_) {
    if (!cells_[place].open) continue;
    ++open;
    if (errors.size() > kErrorBytes) continue;
    errors += (errors.empty() ? "" : "; ") + id.str() + ": " +
              WhyNot(definition, OfferTo(cells_[place], guid, refused, {}));
    ++told;
  }
  if (open == 0) return "no cell is connected";
  return told == open ? errors : errors + "; and " + std::to_string(open - told) + " more cells";
}

Placement Fleet::Place(const Definition& definition, const ProcessGuid& guid, const CellId& avoid,
                       const Refused& refused, const Leaving& leaving) const {
  const std::vector<char>& fits = Fitting(definition);
  std::vector<int> in_zone(zones_.size());
  const auto app = of_app_.find(guid);
  if (app != of_app_.end()) {
    for (const auto& [place, count] : app->second) {
      const Cell& cell = cells_[place];
      if (!cell.open || cell.offer.draining) continue;
      in_zone[static_cast<std::size_t>(cell.zone)] += Staying(count, cell.offer.id, leaving);
    }
  }
  const auto of_app = [&](std::size_t place) {
    if (app == of_app_.end()) return 0;
    const auto count = app->second.find(place);
    return count == app->second.end() ? 0 : Staying(count->second, cells_[place].offer.id, leaving);
  };
  const Cell* best = nullptr;
  std::tuple<int, int, bool, int, std::int64_t> best_rank;
  for (std::size_t place = 0; place < cells_.size(); ++place) {
    const Cell& cell = cells_[place];
    if (!cell.open || !fits[place] || !HasRoom(definition, cell.offer)) continue;
    if (!refused.empty() && refused.contains(cell.offer.id)) continue;
    const std::tuple rank(in_zone[static_cast<std::size_t>(cell.zone)], of_app(place), cell.offer.id == avoid,
                          cell.offer.instances, -cell.offer.free.memory_mb);
    if (best && (best_rank < rank || (best_rank == rank && best->offer.id < cell.offer.id))) continue;
    best = &cell;
    best_rank = rank;
  }
  Placement placement;
  best ? void(placement.cell = best->offer.id) : void(placement.error = WhyNowhere(definition, guid, refused));
  return placement;
}

}  // namespace baton
