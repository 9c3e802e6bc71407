#include "orchestrator/roll/drain.h"

#include <algorithm>
#include <iterator>

namespace baton {
namespace {

// A stop order is sent again if the cell has not answered for this long: a message can be lost with its stream.
constexpr Duration kStopResendAfter = seconds(5);

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
  constexpr std::size_t kNamesMax = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(ids.size(), kNamesMax); ++i) names += (i == 0 ? "" : ", ") + ids[i].str();
  return ids.size() > kNamesMax ? names + " and " + std::to_string(ids.size() - kNamesMax) + " more" : names;
}

// Nothing: it may be ordered to stop.
std::optional<TimePoint> WaitsUntil(const ActualLrp& lrp, const Moment& moment) {
  if (moment.now < *lrp.drain_not_before) return lrp.drain_not_before;
  if (!Drained(lrp, moment) && moment.now < *lrp.drain_until) return lrp.drain_until;
  if (AwaitsSilent(lrp, moment)) return moment.now + kListenAgain;
  return std::nullopt;
}

// Whether the app tolerates two copies is not known here, so its cell gets the time to stop the instance by itself.
bool GoneWithCell(const ActualLrp& lrp, const Moment& moment) {
  const auto cell = moment.cells.find(lrp.cell_id);
  return MayRun(lrp) && (cell == moment.cells.end() || cell->second.expires_at + kCellStopsByItself <= moment.now);
}

// No instance of an older incarnation is in a quiet slot.
std::vector<ActualId> Leftovers(const AppState& app) {
  std::vector<ActualId> ids;
  const auto take = [&](const ActualLrp& lrp) {
    if (!app.desired || lrp.incarnation != app.desired->incarnation) ids.push_back(lrp.id);
  };
  if (app.desired && app.quiet.AreOf(app.desired->incarnation)) {
    EachInNoQuietSlot(app, take);
  } else {
    for (const auto& [id, lrp] : app.actuals) take(lrp);
  }
  return ids;
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

std::string AwaitedRouters(const ActualLrp& lrp, const Moment& moment) {
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

DrainStep Drain(const ActualLrp& lrp, const Strategy& strategy, bool lost, const Moment& moment, Plan& plan) {
  if (!MayRun(lrp) || lost) return DrainStep::kRemove;
  const bool ordered = lrp.stop_ordered_at.has_value();
  const auto wake_at = ordered ? moment.now + kStopResendAfter : WaitsUntil(lrp, moment);
  if (wake_at) plan.WakeAt(*wake_at);
  if (!ordered && wake_at) return DrainStep::kNone;
  plan.to_stop.push_back(lrp.id);
  // With a stop_timeout of 0 it is so at once.
  if (lrp.stop_ordered_at.value_or(moment.now) + strategy.stop_timeout <= moment.now) plan.overdue.push_back(lrp.id);
  return ordered ? DrainStep::kNone : DrainStep::kOrderStop;
}

void DrainLeftovers(AppEdit& edit, Plan& plan) {
  const auto& desired = edit.state().desired;
  for (const ActualId& id : Leftovers(edit.state())) {
    const ActualLrp& lrp = edit.state().actuals.at(id);
    if (lrp.presence != Presence::kRetiring) {
      // Nobody asked for it to go, its app's row is only not there: perhaps its controller has not synced (Diego).
      if (!desired && !edit.moment().fresh_domains.contains(lrp.domain)) continue;
      const bool drains = lrp.routable && lrp.state == LrpState::kRunning;
      MakeRetiring(edit.Change(id), Strategy(), drains, edit.now());
      ++plan.steps;
    }
    const DrainStep step = Drain(lrp, Strategy(), GoneWithCell(lrp, edit.moment()), edit.moment(), plan);
    if (step == DrainStep::kNone) continue;
    ++plan.steps;
    if (step == DrainStep::kRemove) {
      edit.Remove(id);
    } else {
      edit.Change(id).stop_ordered_at = edit.now();
      plan.WakeAt(edit.now() + kStopResendAfter);
    }
  }
}

}  // namespace baton
