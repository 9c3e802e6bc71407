#include "orchestrator/roll/drain.h"

#include <algorithm>
#include <iterator>

namespace baton {
namespace {

// A stop order is sent again if the cell has not answered for this long: a message can be lost with its stream.
constexpr Duration kTellAgain = seconds(5);

// How often it is looked whether a router that was silent has been heard of: its word wakes nobody by itself.
constexpr Duration kListenAgain = milliseconds(500);

bool Drained(const ActualLrp& lrp, const Moment& moment) {
  if (!lrp.awaits_drain) return true;
  // Nobody registered: nobody can say that it drained, so the timeout passes in full.
  return !moment.consumers.empty() && std::ranges::includes(lrp.drained_by, moment.consumers);
}

// A router of which nothing was heard since the drain's time was over may not even know of it, and send requests there.
// It is waited for until it is heard of, or its lease ends: then it is registered no more.
bool AwaitsSilent(const ActualLrp& lrp, const Moment& moment) {
  return std::ranges::any_of(Unconfirmed(lrp, moment),
                             [&](const ConsumerId& id) { return !moment.HeardSince(id, *lrp.drain_until); });
}

std::string Names(const std::vector<ConsumerId>& ids) {
  constexpr std::size_t kNamesMost = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(ids.size(), kNamesMost); ++i) names += (i == 0 ? "" : ", ") + ids[i].str();
  return ids.size() > kNamesMost ? names + " and " + std::to_string(ids.size() - kNamesMost) + " more" : names;
}

// Whether the app tolerates two copies is not known here, so its cell gets the time to stop the instance by itself.
bool GoneWithCell(const ActualLrp& lrp, const Moment& moment) {
  const auto cell = moment.cells.find(lrp.cell_id);
  return MayRun(lrp) && (cell == moment.cells.end() || cell->second.expires_at + kCellStopsByItself <= moment.now);
}

}  // namespace

std::vector<ConsumerId> Unconfirmed(const ActualLrp& lrp, const Moment& moment) {
  std::vector<ConsumerId> ids;
  if (lrp.awaits_drain) std::ranges::set_difference(moment.consumers, lrp.drained_by, std::back_inserter(ids));
  return ids;
}

std::string WhyStopped(const ActualLrp& lrp, const Moment& moment) {
  if (!lrp.awaits_drain) return "it had no route";
  const auto unconfirmed = Unconfirmed(lrp, moment);
  if (!unconfirmed.empty()) return "drain_timeout has passed, not confirmed by " + Names(unconfirmed);
  if (moment.consumers.empty()) return "drain_timeout has passed, and no router is registered";
  return "its connections have drained";
}

std::string WhomItAwaits(const ActualLrp& lrp, const Moment& moment) {
  std::vector<ConsumerId> ids = Unconfirmed(lrp, moment);
  const bool late = lrp.drain_until <= moment.now;
  if (late) std::erase_if(ids, [&](const ConsumerId& id) { return moment.HeardSince(id, *lrp.drain_until); });
  if (ids.empty()) return {};
  return (late ? "nothing was heard since drain_timeout passed of " : "not confirmed by ") + Names(ids);
}

void MakeRetiring(ActualLrp& row, const Strategy& strategy, bool drains, TimePoint now) {
  row.presence = Presence::kRetiring;
  row.retiring_since = now;
  row.awaits_drain = drains;
  row.drain_not_before = now + strategy.drain_min;
  row.drain_until = now + strategy.drain_timeout;
  row.drained_by.clear();
}

bool IsOverdue(const ActualLrp& lrp, const Strategy& strategy, TimePoint now) {
  return lrp.stop_ordered_at && *lrp.stop_ordered_at + strategy.stop_timeout <= now;
}

DrainStep NextDrainStep(const ActualLrp& lrp, const Moment& moment, bool lost, std::optional<TimePoint>& wake_at) {
  if (!MayRun(lrp) || lost) return DrainStep::kRemove;
  if (lrp.stop_ordered_at) {
    wake_at = moment.now + kTellAgain;
    return DrainStep::kTellCell;
  }
  if (moment.now < *lrp.drain_not_before) {
    wake_at = *lrp.drain_not_before;
    return DrainStep::kWait;
  }
  if (!Drained(lrp, moment) && moment.now < *lrp.drain_until) {
    wake_at = *lrp.drain_until;
    return DrainStep::kWait;
  }
  if (AwaitsSilent(lrp, moment)) {
    wake_at = moment.now + kListenAgain;
    return DrainStep::kWait;
  }
  return DrainStep::kOrderStop;
}

void DrainLeftovers(AppEdit& edit, Plan& plan) {
  const auto& desired = edit.state().desired;
  std::vector<ActualId> ids;
  for (const auto& [id, lrp] : edit.state().actuals) {
    if (!desired || lrp.incarnation != desired->incarnation) ids.push_back(id);
  }
  for (const ActualId& id : ids) {
    const ActualLrp& lrp = edit.state().actuals.at(id);
    if (lrp.presence != Presence::kRetiring) {
      // Nobody asked for it to go, its app's row is only not there: perhaps its controller has not synced (Diego).
      if (!desired && !edit.moment().fresh_domains.contains(lrp.domain)) continue;
      const bool drains = lrp.routable && lrp.state == LrpState::kRunning;
      MakeRetiring(edit.Change(id), Strategy(), drains, edit.now());
      ++plan.steps;
    }
    std::optional<TimePoint> wake_at;
    switch (NextDrainStep(lrp, edit.moment(), GoneWithCell(lrp, edit.moment()), wake_at)) {
      case DrainStep::kRemove:
        edit.Remove(id);
        ++plan.steps;
        break;
      case DrainStep::kOrderStop:
        edit.Change(id).stop_ordered_at = edit.now();
        ++plan.steps;
        [[fallthrough]];
      case DrainStep::kTellCell:
        plan.to_stop.push_back(id);
        plan.WakeAt(edit.now() + kTellAgain);
        if (IsOverdue(lrp, Strategy(), edit.now())) plan.overdue.push_back(id);
        break;
      case DrainStep::kWait: break;
    }
    if (wake_at) plan.WakeAt(*wake_at);
  }
}

}  // namespace baton
