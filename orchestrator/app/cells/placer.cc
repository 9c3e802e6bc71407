#include "orchestrator/app/cells/placer.h"

#include <utility>

#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/placement/egress.h"
#include "orchestrator/placement/hold_off.h"

namespace baton {
namespace {

TimePoint Now() { return TimePoint(std::chrono::duration_cast<Duration>(Loop::Steady::now().time_since_epoch())); }

Asked AskedBy(const PlacementRequest& request) { return {request.guid, request.definition.content_hash}; }

// The row says why no cell takes the instance.
class StorePlacementError final : public AppCommand {
 public:
  StorePlacementError(const ProcessGuid& guid, const ActualId& id, std::string error)
      : AppCommand({.name = "placement_error", .guid = guid, .instance = id, .actor = "baton"}),
        error_(std::move(error)) {}
  Status Decide(AppEdit& edit) override { return DecidePlacementError(edit, *header().instance, error_); }

 private:
  const std::string error_;
};

}  // namespace

Placer::Placer(Roller& roller, Loop& loop, Auctioneer* auctioneer, Log& log, Metrics& metrics, Duration claim_time,
               Order order)
    : roller_(roller), loop_(loop), auctioneer_(auctioneer), log_(log), metrics_(metrics), claim_time_(claim_time),
      order_(std::move(order)) {}

void Placer::Clear() {
  ++life_;
  fleet_ = Fleet();
  standings_.clear();
  orders_.clear();
  open_orders_.Clear();
  under_way_.clear();
  starting_.clear();
  waiting_.clear();
  alarms_.clear();
  refusals_ = Refusals();
  complaints_ = Complaints();
  auctions_.clear();
}

void Placer::SetEgress(EgressPolicy egress) {
  egress_ = std::move(egress);
  TryWaiting();
}

void Placer::SetOffer(const Standing& standing) {
  const CellRecord& record = standing.record;
  CellOffer offer;
  offer.id = record.id;
  offer.zone = record.zone;
  offer.stacks = record.stacks;
  offer.placement_tags = record.placement_tags;
  offer.abilities = record.abilities;
  AddTolerance(offer.abilities);
  offer.draining = record.draining;
  offer.held_off = standing.held_off;
  offer.host_ports = record.host_ports;
  fleet_.Set(offer, record.capacity);
}

void Placer::Open(const CellRecord& record, Duration steady) {
  Standing& standing = standings_[record.id];
  standing.record = record;
  SetOffer(standing);
  if (!record.draining) refusals_.Opened(record.id);
  const Duration whole = HoldOff(record.losses);
  const Duration left = whole - steady;
  if (whole > Duration(0) && left > Duration(0)) {  // `steady` is below 0 where two clocks differ
    HoldOffFor(record.id, left,
               "was lost " + std::to_string(record.losses) + " times lately, and takes instances again when it has "
               "been there for " + std::to_string(Millis(HoldOff(record.losses)) / 1000) + " s");
  }
  TryWaiting();
}

void Placer::Close(const CellId& cell) {
  fleet_.Close(cell);
  standings_.erase(cell);
  complaints_.Forget(cell);
  std::erase_if(starting_, [&](const auto& entry) { return entry.second.cell == cell; });
  std::vector<ActualId> unanswered;
  for (const auto& [id, order] : orders_) {
    if (order.cell == cell) unanswered.push_back(id);
  }
  for (const ActualId& id : unanswered) roller_.Wake(DropOrder(id, Answered::kNo)->guid);
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

void Placer::AddOrder(const ActualId& id, Outstanding order) {
  ++under_way_[order.asked];
  open_orders_.Add(id, order.cell, Loop::Steady::now());
  orders_[id] = std::move(order);
}

std::optional<Asked> Placer::DropOrder(const ActualId& id, Answered answered) {
  const auto order = orders_.find(id);
  if (order == orders_.end()) return std::nullopt;
  Asked asked = std::move(order->second.asked);
  orders_.erase(order);
  answered == Answered::kYes ? open_orders_.Drop(id) : open_orders_.Leave(id, Loop::Steady::now());
  if (--under_way_[asked] == 0) under_way_.erase(asked);
  return asked;
}

int Placer::UnderWay(const Asked& asked) const {
  const auto at = under_way_.find(asked);
  return at == under_way_.end() ? 0 : at->second;
}

bool Placer::IsFree(const PlacementRequest& request) {
  const auto order = orders_.find(request.id);
  if (order == orders_.end()) return true;
  if (order->second.until > Loop::Steady::now()) return false;
  const CellId late = order->second.cell;  // it did not claim it in time
  fleet_.Release(late, request.id);
  const std::optional<Asked> asked = DropOrder(request.id, Answered::kNo);
  refusals_.Unanswered(*asked, late,
                       "did not claim it within " + std::to_string(Millis(claim_time_)) + " ms (--claim-ms)", Now());
  if (const auto held = complaints_.Unanswered(late, request.guid)) {
    HoldOffFor(
        late, *held,
        "left the orders of " + std::to_string(kAppsFailedMax) + " apps unanswered, and claimed none in between");
  }
  return true;
}

std::optional<PlacementRequest> Placer::Eased(const PlacementRequest& request) const {
  if (!Names(request.definition.needs, kEgressRules)) return std::nullopt;
  if (egress_.Of(request.domain) == UnenforcedEgress::kRefuse) return std::nullopt;
  PlacementRequest eased = request;
  eased.definition = Tolerant(request.definition);
  return eased;
}

Placement Placer::Choose(const PlacementRequest& request, const Definition& strict,
                         const Fleet::Refused& refused) const {
  static const Leaving kNone;
  const Leaving& leaving = request.leaving ? *request.leaving : kNone;
  if (strict.needs != request.definition.needs) {
    Placement enforced = fleet_.Place(strict, request.guid, request.avoid, refused, leaving);
    if (enforced.cell) return enforced;
  }
  return fleet_.Place(request.definition, request.guid, request.avoid, refused, leaving);
}

void Placer::Place(const PlacementRequest& wished, Loop::Steady::time_point asked_at) {
  const std::optional<PlacementRequest> eased = Eased(wished);
  const PlacementRequest& request = eased ? *eased : wished;
  // A claim is a call of its own: it may be answered before a pass that saw the row UNCLAIMED.
  const auto claimed = starting_.find(request.id);
  if (claimed != starting_.end() && asked_at <= claimed->second.since) return roller_.Wake(request.guid);
  if (!IsFree(request) || auctions_.contains(request.id)) return;
  const Asked asked = AskedBy(request);
  if (!refusals_.MayAsk(asked, UnderWay(asked), Now())) return NoCell(request, asked, WhyItWaits(request, asked));
  const Fleet::Refused refused = refusals_.Of(asked, Now());
  if (!auctioneer_) return Follow(request, Choose(request, wished.definition, refused));
  static const Leaving kNone;
  const Leaving& leaving = request.leaving ? *request.leaving : kNone;
  auctions_.insert(request.id);
  ++under_way_[asked];
  Auction auction{request.id,    request.guid,  request.index, request.definition,
                  request.avoid, fleet_.Offers(request.guid, refused, leaving)};
  auctioneer_->Decide(std::move(auction), [this, request, life = life_](const Result<Placement>& placement) {
    loop_.Post([this, request, life, placement] {
      if (life != life_) return;
      auctions_.erase(request.id);
      if (const auto at = under_way_.find(AskedBy(request)); --at->second == 0) under_way_.erase(at);
      Follow(request, placement);
    });
  });
}

void Placer::Follow(const PlacementRequest& request, const Result<Placement>& placement) {
  const Asked asked = AskedBy(request);
  if (!placement) return NoCell(request, asked, "the auctioneer does not decide: " + placement.error().message);
  if (!placement->cell) return NoCell(request, asked, placement->error);
  const CellId cell = *placement->cell;
  if (auctioneer_) {  // what it was told may be over by now
    std::string why = "it is not connected";
    for (const CellOffer& offer : fleet_.Offers(request.guid, refusals_.Of(asked, Now()))) {
      if (offer.id == cell) why = WhyNot(request.definition, offer);
    }
    if (!why.empty()) return NoCell(request, asked, "the auctioneer chose " + cell.str() + ": " + why);
  }
  fleet_.Hold(cell, request.id, request.guid, request.definition.resources,
              static_cast<int>(request.definition.ports.size()));
  AddOrder(request.id, {cell, asked, Loop::Steady::now() + claim_time_});
  const bool unenforced = Names(request.definition.needs, kEgressUnenforced) &&
                          !Names(fleet_.OfferOf(cell).abilities, kEgressRules);
  if (unenforced) {
    log_.Warn("egress_unenforced", {{"app", request.guid.str()},
                                    {"index", request.index},
                                    {"cell", cell.str()},
                                    {"definition", request.definition.id.str()},
                                    {"why", "the cell cannot enforce egress rules, and domain " + request.domain +
                                                " runs without (baton domain egress)"}});
  }
  order_(cell, {request.id, request.guid, request.domain, request.incarnation, request.index, request.definition,
                request.start_timeout, unenforced});
}

void Placer::NoCell(const PlacementRequest& request, const Asked& asked, const std::string& error) {
  waiting_.try_emplace(asked, request.definition);
  AskAgainLater(asked);
  if (error.empty() || request.placement_error == CutReason(error)) return;  // the row says so already
  metrics_.Count("baton_placement_errors_total");
  roller_.DoInstance(std::make_unique<StorePlacementError>(request.guid, request.id, error), /*wake=*/true);
}

// It is asked again in a while: the cells' own words, and what is to be said of the others.
std::string Placer::WhyItWaits(const PlacementRequest& request, const Asked& asked) const {
  const Fleet::Refused all = refusals_.Of(asked, TimePoint::min());
  const Placement placement = fleet_.Place(request.definition, request.guid, request.avoid, all);
  return placement.cell ? refusals_.Words(asked) : placement.error;
}

// One timer for all of its instances.
void Placer::AskAgainLater(const Asked& asked) {
  const TimePoint now = Now();
  const std::optional<TimePoint> at = refusals_.AskAgainAt(asked, now);
  if (!at) return;
  const auto known = alarms_.find(asked);
  if (known != alarms_.end() && known->second > now && known->second <= *at) return;
  alarms_[asked] = *at;
  loop_.After(*at - now, [this, asked, at = *at, life = life_] {
    const auto alarm = alarms_.find(asked);
    if (life != life_ || alarm == alarms_.end() || alarm->second != at) return;
    alarms_.erase(alarm);
    if (waiting_.erase(asked) > 0) roller_.Wake(asked.guid);
  });
}

void Placer::Claimed(const CellId& cell, const ActualId& id) {
  complaints_.Took(cell);
  if (!HasOrdered(cell, id)) return;
  const std::optional<Asked> asked = DropOrder(id, Answered::kYes);
  if (!asked) return;
  starting_[id] = {cell, *asked, Loop::Steady::now()};
  refusals_.Claimed(*asked, cell);
  if (waiting_.erase(*asked) > 0) roller_.Wake(asked->guid);  // its other instances waited for this answer
}

void Placer::ClaimRefused(const CellId& cell, const ActualId& id) {
  const std::optional<Asked> again = HasOrdered(cell, id) ? DropOrder(id, Answered::kNo) : std::nullopt;
  if (!again) return;
  fleet_.Release(cell, id);
  roller_.Wake(again->guid);
}

void Placer::Started(const CellId& cell, const ActualId& id) {
  const auto at = starting_.find(id);
  if (at == starting_.end() || at->second.cell != cell) return;
  refusals_.Started(at->second.asked, cell);
  starting_.erase(at);
}

void Placer::Ended(const CellId& cell, const ActualId& id) { ForgetStarting(cell, id); }

void Placer::ForgetStarting(const CellId& cell, const ActualId& id) {
  const auto at = starting_.find(id);
  if (at != starting_.end() && at->second.cell == cell) starting_.erase(at);
}

void Placer::Rejected(const CellId& cell, const ActualId& id, const std::string& why, Lack lack) {
  log_.Warn("cell_rejects", {{"cell", cell.str()}, {"actual_id", id.str()}, {"reason", why}});
  std::optional<Asked> asked;
  if (const auto at = starting_.find(id); at != starting_.end() && at->second.cell == cell) {
    asked = at->second.asked;  // it was claimed: an order that is out by now is for the next start
    starting_.erase(at);
  } else if (HasOrdered(cell, id)) {
    asked = DropOrder(id, Answered::kYes);
  }
  if (!asked) return;
  if (!HasOrdered(cell, id)) fleet_.Release(cell, id);
  refusals_.Rejected(*asked, cell, {why, lack, fleet_.OfferOf(cell)}, Now());
  const auto held = lack == Lack::kCell ? complaints_.OwnFault(cell, asked->guid) : std::nullopt;
  if (held) HoldOffFor(cell, *held, "rejected orders of several apps for a reason of its own: " + why);
  roller_.Wake(asked->guid);
}

void Placer::Release(const CellId& cell, const ActualId& id) {
  ForgetStarting(cell, id);
  fleet_.Release(cell, id);
  TryWaitingFor(cell);
}

// The planner says which of them still want it.
void Placer::TryWaiting() {
  for (const auto& [asked, definition] : std::exchange(waiting_, {})) roller_.WakeInTurn(asked.guid);
}

// Only who can be helped is looked at again: a release is an everyday thing, and there may be many who wait.
void Placer::TryWaitingFor(const CellId& cell) {
  if (waiting_.empty() || !standings_.contains(cell)) return;
  const CellOffer offer = fleet_.OfferOf(cell);
  refusals_.Grew(offer);
  const TimePoint now = Now();
  for (auto at = waiting_.begin(); at != waiting_.end();) {
    const bool helped = WhyNot(at->second, offer).empty() && refusals_.MayAsk(at->first, UnderWay(at->first), now) &&
                        !refusals_.Of(at->first, now).contains(cell);
    if (helped) roller_.WakeInTurn(at->first.guid);
    at = helped ? waiting_.erase(at) : std::next(at);
  }
}

}  // namespace baton
