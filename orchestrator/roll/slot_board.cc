#include "orchestrator/roll/slot_board.h"

#include <algorithm>
#include <utility>

#include "orchestrator/base/check.h"
#include "orchestrator/roll/drain.h"
#include "orchestrator/roll/open_slots.h"
#include "orchestrator/roll/rules/backoff.h"
#include "orchestrator/roll/rules/handed_over.h"
#include "orchestrator/routing/bindings.h"

namespace baton {
namespace {

bool Maps(const ActualLrp& lrp, std::uint32_t port) {
  return std::ranges::find(lrp.net_info.ports, port, &PortMapping::container_port) != lrp.net_info.ports.end();
}

}  // namespace

SlotBoard::SlotBoard(AppEdit& edit, Plan& plan, BoardOf slots) : edit_(edit), plan_(plan), slots_are_(slots) {
  CHECK(app().desired);
  limits_ = ResolveLimits(strategy(), instances());
  QuietSlots& quiet = edit_.quiet();
  const bool some = !of_all_slots() && quiet.Holds(BasisOf(*this), now()) && CellsStay(app(), edit_.moment());
  if (!some && !of_all_slots()) BeginQuiet(edit_, BasisOf(*this));
  slots_ = some ? LayOpenSlots(app()) : LayAllSlots(app());
  for (const auto& [id, seats] : quiet.by_definition()) {
    if (some) sum_.Add(ShareOfQuiet(id), static_cast<int>(seats.size()));
  }
  for (const auto& [index, slot] : slots_) Refresh(index);
}

SlotShare SlotBoard::ShareOfQuiet(const DefinitionId& id) const {
  const bool partial = !desired().routes.mapped.empty() && !Bound(id).all;
  return {.served = 1, .counted = 1, .towards = IsGoal(id) ? 1 : 0, .partial = partial ? 1 : 0};
}

std::optional<int> SlotBoard::NextQuietBehind(int from) const {
  std::optional<int> next;
  if (of_all_slots()) return next;
  for (const auto& [id, slots] : app().quiet.by_definition()) {
    const auto at = slots.lower_bound(from);
    if (at != slots.end() && (!next || *at < *next) && !IsGoal(id)) next = *at;
  }
  return next;
}

Slot& SlotBoard::OpenSlot(int index) {
  const auto seat = of_all_slots() ? std::nullopt : edit_.quiet().Open(index);
  if (!seat) return slot(index);
  sum_.Add(ShareOfQuiet(seat->definition), -1);
  Slot& slot = slots_[index];
  slot.index = index;
  slot.rows.push_back(&app().actuals.at(seat->id));
  Refresh(index);
  return slot;
}

const Definition& SlotBoard::definition(const DefinitionId& id) const {
  const auto at = app().definitions.find({desired().incarnation, id});
  CHECK(at != app().definitions.end());  // foreign keys hold it
  return at->second;
}

bool SlotBoard::SameContent(const DefinitionId& a, const DefinitionId& b) const {
  if (a == b) return true;
  if (a.empty() || b.empty()) return false;
  return definition(a).content_hash == definition(b).content_hash;
}

bool SlotBoard::IsGoal(const DefinitionId& id) const { return roll() && SameContent(id, Goal(*roll())); }

bool SlotBoard::RunsGoal(const ActualLrp* lrp) const { return lrp && IsGoal(lrp->definition); }

bool SlotBoard::IsNewcomer(const ActualLrp* lrp) const {
  return lrp && !lrp->handed_over_at && roll() && lrp->roll_id == roll()->id && RunsGoal(lrp);
}

const BoundPorts& SlotBoard::Bound(const DefinitionId& id) const {
  const auto [at, fresh] = bound_.try_emplace(id);
  BoundPorts& bound = at->second;
  if (!fresh || desired().routes.mapped.empty()) return bound;
  const Ports ports(definition(id), desired().routes);
  for (const MappedRoute& route : desired().routes.mapped) {
    const std::uint32_t port = BindingOf(route, ports).port;
    bound.by_route.push_back(port);
    bound.all &= port != 0;
    const bool known = std::ranges::find(bound.distinct, port) != bound.distinct.end();
    if (port != 0 && !known) bound.distinct.push_back(port);
  }
  return bound;
}

bool SlotBoard::HasEndpoint(const ActualLrp& lrp) const {
  const auto& ports = Bound(lrp.definition).distinct;
  return lrp.state == LrpState::kRunning &&
         std::ranges::any_of(ports, [&](std::uint32_t port) { return Maps(lrp, port); });
}

std::uint32_t SlotBoard::UnmappedPort(const ActualLrp& lrp) const {
  const auto& ports = Bound(lrp.definition).distinct;
  const auto missing = std::ranges::find_if(ports, [&](std::uint32_t port) { return !Maps(lrp, port); });
  return missing == ports.end() ? 0 : *missing;
}

std::vector<ConsumerId> SlotBoard::CountedRouters(const ActualLrp& lrp) const {
  const Moment& moment = edit_.moment();
  const TimePoint began = roll() ? roll()->opened_at : lrp.routable_since.value_or(now());
  std::vector<ConsumerId> counted;
  std::ranges::copy_if(moment.consumers, std::back_inserter(counted),
                       [&](const ConsumerId& id) { return moment.CountsFor(id, began); });
  return counted;
}

bool SlotBoard::AppliedByAll(const ActualLrp& lrp) const {
  if (std::ranges::includes(lrp.applied_by, edit_.moment().consumers) || !HasEndpoint(lrp)) return true;
  return std::ranges::includes(lrp.applied_by, CountedRouters(lrp));
}

bool SlotBoard::Ready(const ActualLrp* lrp) const {
  return lrp && lrp->state == LrpState::kRunning && lrp->routable && lrp->presence != Presence::kRetiring &&
         lrp->presence != Presence::kSuspect && lrp->routable_since &&
         *lrp->routable_since + strategy().min_healthy_time <= now() && AppliedByAll(*lrp) &&
         UnmappedPort(*lrp) == 0;
}

bool SlotBoard::Serves(const Slot& slot) const {
  return Ready(slot.ordinary) || Ready(slot.surge) || Ready(slot.evacuating);
}

bool SlotBoard::Lost(const ActualLrp& lrp) const { return MayRun(lrp) && edit_.moment().Lost(lrp.cell_id); }

bool SlotBoard::GoneWithCell(const ActualLrp& lrp) const {
  if (!Lost(lrp)) return false;
  if (strategy().mode != Mode::kRecreate) return true;
  const auto cell = edit_.moment().cells.find(lrp.cell_id);
  return cell == edit_.moment().cells.end() || cell->second.expires_at + kCellStopsByItself <= now();
}

bool SlotBoard::CellDrains(const ActualLrp& lrp) const { return MayRun(lrp) && edit_.moment().Draining(lrp.cell_id); }

bool SlotBoard::Overdue(const ActualLrp& lrp) const { return IsOverdue(lrp, strategy(), now()); }

bool SlotBoard::WaitsForSlot(const Slot& slot, const ActualLrp& lrp) const {
  if (lrp.state != LrpState::kUnclaimed || CanSurge()) return false;
  if (strategy().mode == Mode::kRecreate) {
    // It must never run twice: overdue is not gone, and rows of older incarnations count too.
    return std::ranges::any_of(app().actuals, [&](const auto& entry) {
      const ActualLrp& other = entry.second;
      return other.id != lrp.id && other.index == lrp.index && MayRun(other) && !GoneWithCell(other);
    });
  }
  return std::ranges::any_of(slot.retiring, [&](const ActualLrp* old) { return !Overdue(*old); });
}

Duration SlotBoard::StartTimeout(const ActualLrp& lrp) const {
  if (strategy().start_timeout) return *strategy().start_timeout;
  const Duration own = definition(lrp.definition).start_timeout;
  return own > Duration(0) ? own : kDefaultStartTimeout;
}

bool SlotBoard::Moves() const {
  return roll() && (roll()->state == RollState::kRolling || roll()->state == RollState::kRollingBack);
}

const SlotLog& SlotBoard::Log(int index) const {
  static const SlotLog kNothing;
  const auto at = Place(index);
  return at == slots_.end() || !at->second.log ? kNothing : *at->second.log;
}

bool SlotBoard::Failed(int index) const { return Log(index).failed_attempts >= strategy().max_failures; }

bool SlotBoard::GivenUp(int index) const {
  return roll() && roll()->state == RollState::kRolling && strategy().on_failure == OnFailure::kContinue &&
         Failed(index);
}

bool SlotBoard::Hurts(const Slot& slot) const {
  const bool asked = roll() && roll()->state == RollState::kRolling && Proved() && !roll()->source.empty();
  if (!asked || slot.index >= instances() || !slot.log || !slot.log->handed_over || GivenUp(slot.index)) return false;
  if (slot.ordinary && !RunsGoal(slot.ordinary)) return false;  // the source's again: an old slot as any other
  return !Serves(slot) || !IsSteady(*this, slot);
}

std::optional<TimePoint> SlotBoard::BackOffUntil(int index) const {
  const SlotLog& log = Log(index);
  if (!log.last_failure_at) return std::nullopt;
  const TimePoint until = *log.last_failure_at + AttemptBackOff(log.failed_attempts);
  if (until <= now()) return std::nullopt;
  return until;
}

SlotShare SlotBoard::ShareOf(const Slot& slot) const {
  SlotShare share;
  share.served = Serves(slot) ? 1 : 0;
  if (!desired().routes.mapped.empty()) {
    share.partial = static_cast<int>(
        std::ranges::count_if(slot.rows, [&](const ActualLrp* lrp) { return !Bound(lrp->definition).all; }));
  }
  const auto stopping = std::ranges::count_if(slot.retiring, [&](const ActualLrp* lrp) { return !Overdue(*lrp); });
  const int stopping_counted = strategy().count_stopping ? static_cast<int>(stopping) : 0;
  share.counted = share.stopping = stopping_counted;
  if (slot.index >= instances()) return share;
  const auto counts = [&](const ActualLrp* lrp) { return lrp && !WaitsForSlot(slot, *lrp) ? 1 : 0; };
  share.counted += counts(slot.ordinary) + counts(slot.surge);
  // A slot that backs off is still being changed: its next attempt comes before another slot's first.
  const bool backs_off = Moves() && slot.log && BackOffUntil(slot.index) && !RunsGoal(slot.ordinary);
  const bool in_place = IsNewcomer(slot.ordinary);
  const bool tried = in_place || IsNewcomer(slot.surge) || backs_off;
  share.trying = tried && !GivenUp(slot.index) ? 1 : 0;
  share.towards = slot.index < instances() && (RunsGoal(slot.ordinary) || IsNewcomer(slot.surge)) ? 1 : 0;
  share.replaced = in_place && !Ready(slot.ordinary) ? 1 : 0;
  share.in_flight = share.trying > 0 || stopping_counted > 0 ? 1 : 0;
  return share;
}

void SlotBoard::Arrange(Slot& slot) {
  slot.ordinary = slot.surge = slot.suspect = slot.evacuating = nullptr;
  slot.retiring.clear();
  for (const ActualLrp* row : slot.rows) {
    const ActualLrp& lrp = *row;
    switch (lrp.presence) {
      case Presence::kOrdinary: slot.ordinary = &lrp; break;
      case Presence::kSurge: slot.surge = &lrp; break;
      case Presence::kSuspect: slot.suspect = &lrp; break;
      case Presence::kEvacuating: slot.evacuating = &lrp; break;
      case Presence::kRetiring: slot.retiring.push_back(&lrp); break;
    }
  }
}

void SlotBoard::Refresh(int index) {
  Slot& slot = this->slot(index);
  if (!slot.log) {  // it is new here, or its first step was taken
    const auto log = app().slot_logs.find(index);
    if (log != app().slot_logs.end()) slot.log = &log->second;
  }
  Refresh(slot);
}

void SlotBoard::Refresh(Slot& slot) {
  Arrange(slot);
  SlotShare& share = slot.share;
  const SlotShare fresh = ShareOf(slot);
  sum_.Add(share, -1);
  sum_.Add(fresh, 1);
  share = fresh;
  if (Hurts(slot)) {
    hurting_.insert(slot.index);
  } else if (!hurting_.empty()) {
    hurting_.erase(slot.index);
  }
  if (share.trying > 0 || !slot.retiring.empty()) {
    changing_.insert(slot.index);
  } else if (!changing_.empty()) {
    changing_.erase(slot.index);
  }
}

void SlotBoard::LogIfRolling(int index, const ActualLrp* lrp, Why why) {
  ++plan_.steps;
  if (!roll()) return;
  edit_.LogStep({.kind = why.kind,
                 .index = index,
                 .actual_id = lrp ? lrp->id : ActualId(),
                 .definition = lrp ? lrp->definition : DefinitionId(),
                 .text = std::move(why.text),
                 .start_took = why.start_took,
                 .stop_took = why.stop_took});
}

void SlotBoard::After(const ActualLrp& lrp, Why why) {
  LogIfRolling(lrp.index, &lrp, std::move(why));
  if (lrp.incarnation == desired().incarnation) Refresh(lrp.index);
}

const ActualLrp& SlotBoard::Make(int index, Presence presence, const DefinitionId& id, bool newcomer,
                                 std::optional<TimePoint> down_since, Why why) {
  ActualLrp lrp;
  lrp.incarnation = desired().incarnation;
  lrp.domain = desired().domain;
  lrp.index = index;
  lrp.presence = presence;
  lrp.definition = id;
  if (newcomer) lrp.roll_id = roll()->id;
  lrp.down_since = down_since ? down_since : now();
  const ActualLrp& row = edit_.Insert(std::move(lrp));
  ++plan_.made;
  slot(index).rows.push_back(&row);
  After(row, std::move(why));
  return row;
}

void SlotBoard::Retire(const ActualLrp& lrp, Why why) {
  const bool drains = lrp.routable && HasEndpoint(lrp);
  Alter(lrp, std::move(why), [&](ActualLrp& row) { MakeRetiring(row, strategy(), drains, now()); });
}

void SlotBoard::Remove(const ActualLrp& lrp, Why why) {
  const int index = lrp.index;
  const bool present = lrp.incarnation == desired().incarnation;
  LogIfRolling(index, &lrp, std::move(why));
  if (present) {
    auto& rows = slot(index).rows;
    const auto row = std::ranges::find(rows, &lrp);
    CHECK(row != rows.end());
    rows.erase(row);
  }
  const ActualId id = lrp.id;
  edit_.Remove(id);
  if (present) Refresh(index);
}

void SlotBoard::RetireOrRemove(const ActualLrp& lrp, Why why) {
  MayRun(lrp) ? Retire(lrp, std::move(why)) : Remove(lrp, std::move(why));
}

}  // namespace baton
