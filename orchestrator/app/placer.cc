#include "orchestrator/app/placer.h"

#include <utility>

#include "orchestrator/app/lifecycle.h"
#include "orchestrator/placement/hold_off.h"

namespace baton {

Placer::Placer(Roller& roller, Loop& loop, Auctioneer* auctioneer, Log& log, Metrics& metrics, Duration claim_time,
               Order order)
    : roller_(roller), loop_(loop), auctioneer_(auctioneer), log_(log), metrics_(metrics), claim_time_(claim_time),
      order_(std::move(order)) {}

void Placer::Clear() {
  ++life_;
  fleet_ = Fleet();
  standings_.clear();
  orders_.clear();
  waiting_.clear();
  rejected_.clear();
  auctions_.clear();
}

void Placer::SetOffer(const Standing& standing) {
  const CellRecord& record = standing.record;
  CellOffer offer;
  offer.id = record.id;
  offer.zone = record.zone;
  offer.stacks = record.stacks;
  offer.placement_tags = record.placement_tags;
  offer.abilities = record.abilities;
  offer.draining = record.draining;
  offer.held_off = standing.held_off;
  fleet_.Set(offer, record.capacity);
}

void Placer::Open(const CellRecord& record, Duration steady) {
  Standing& standing = standings_[record.id];
  standing.record = record;
  SetOffer(standing);
  const Duration left = HoldOff(record.losses) - steady;
  if (left > Duration(0)) {
    HoldOffFor(record.id, left,
               "was lost " + std::to_string(record.losses) + " times lately, and takes instances again when it has "
               "been there for " + std::to_string(Millis(HoldOff(record.losses)) / 1000) + " s");
  }
  TryWaiting();
}

void Placer::Close(const CellId& cell) {
  fleet_.Close(cell);
  standings_.erase(cell);
  for (auto at = orders_.begin(); at != orders_.end();) {
    at = at->second.cell == cell ? orders_.erase(at) : std::next(at);
  }
}

void Placer::HoldOffFor(const CellId& cell, Duration duration, std::string why) {
  const auto at = standings_.find(cell);
  if (at == standings_.end()) return;
  log_.Warn("cell_held_off", {{"cell", cell.str()}, {"why", why}, {"ms", Millis(duration)}});
  metrics_.Count("baton_cells_held_off_total");
  at->second.held_off = std::move(why);
  const int hold = ++at->second.holds;
  SetOffer(at->second);
  loop_.After(duration, [this, cell, hold, life = life_] {
    const auto standing = standings_.find(cell);
    if (life != life_ || standing == standings_.end() || standing->second.holds != hold) return;
    standing->second.held_off.clear();
    SetOffer(standing->second);
    TryWaiting();
  });
}

std::string Placer::HeldOff(const CellId& cell) const {
  const auto at = standings_.find(cell);
  return at == standings_.end() ? std::string() : at->second.held_off;
}

void Placer::Ignored(const CellId& cell) {
  const auto at = standings_.find(cell);
  if (at == standings_.end() || ++at->second.ignored < kOrdersIgnoredMost) return;
  at->second.ignored = 0;
  HoldOffFor(cell, kIgnoredFor,
             "took none of the last " + std::to_string(kOrdersIgnoredMost) + " instances that it was asked to run");
}

void Placer::Place(const PlacementRequest& request) {
  const auto now = Loop::Steady::now();
  if (const auto order = orders_.find(request.id); order != orders_.end()) {
    if (order->second.until > now) return;
    const CellId late = order->second.cell;  // it did not claim it in time
    fleet_.Release(late, request.id);
    orders_.erase(order);
    rejected_[request.id][late] = "did not claim it within " + std::to_string(Millis(claim_time_)) + " ms (--claim-ms)";
    Ignored(late);
  }
  const auto rejected = rejected_.find(request.id);
  const Fleet::Refused refused = rejected == rejected_.end() ? Fleet::Refused() : rejected->second;
  if (!auctioneer_) {
    return Follow(request, fleet_.Place(request.definition, request.guid, request.avoid, refused));
  }
  if (!auctions_.insert(request.id).second) return;
  Auction auction{request.id,    request.guid,  request.index, request.definition,
                  request.avoid, fleet_.Offers(request.guid, refused)};
  auctioneer_->Decide(std::move(auction), [this, request, life = life_](const Result<Placement>& placement) {
    loop_.Post([this, request, life, placement] {
      if (life != life_) return;
      auctions_.erase(request.id);
      Follow(request, placement);
    });
  });
}

void Placer::Follow(const PlacementRequest& request, const Result<Placement>& placement) {
  if (!placement) return NoCell(request, "the auctioneer does not decide: " + placement.error().message);
  if (!placement->cell) return NoCell(request, placement->error);
  const CellId cell = *placement->cell;
  if (auctioneer_) {  // what it was told may be over by now
    std::string why = "it is not connected";
    for (const CellOffer& offer : fleet_.Offers(request.guid, {})) {
      if (offer.id == cell) why = WhyNot(request.definition, offer);
    }
    if (!why.empty()) return NoCell(request, "the auctioneer chose " + cell.str() + ": " + why);
  }
  waiting_.erase(request.id);
  fleet_.Hold(cell, request.id, request.guid, request.definition.resources);
  orders_[request.id] = {cell, Loop::Steady::now() + claim_time_};
  order_(cell, {request.id, request.guid, request.domain, request.incarnation, request.index, request.definition,
                request.start_timeout});
}

void Placer::NoCell(const PlacementRequest& request, const std::string& error) {
  waiting_[request.id] = request.guid;
  rejected_.erase(request.id);  // who could not a while ago, may be able to by now
  if (request.placement_error == CutReason(error)) return;  // the row says so already
  metrics_.Count("baton_placement_errors_total");
  Call call{.name = "placement_error", .guid = request.guid, .instance = request.id, .actor = "baton"};
  call.decide = [id = request.id, error](AppEdit& edit) { return DecidePlacementError(edit, id, error); };
  roller_.DoInstance(std::move(call), /*wake=*/true);
}

void Placer::Claimed(const CellId& cell, const ActualId& id) {
  orders_.erase(id);
  rejected_.erase(id);
  if (const auto at = standings_.find(cell); at != standings_.end()) at->second.ignored = 0;
}

void Placer::Rejected(const CellId& cell, const ActualId& id, const std::string& why) {
  log_.Warn("cell_rejects", {{"cell", cell.str()}, {"actual_id", id.str()}, {"reason", why}});
  rejected_[id][cell] = why;
  orders_.erase(id);
  Ignored(cell);
}

void Placer::Release(const CellId& cell, const ActualId& id) {
  fleet_.Release(cell, id);
  TryWaiting();
}

// The planner says which of them still want it.
void Placer::TryWaiting() {
  for (const auto& [id, guid] : std::exchange(waiting_, {})) roller_.Wake(guid);
}

}  // namespace baton
