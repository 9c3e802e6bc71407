#include "tests/sim/router.h"

#include <algorithm>
#include <utility>

#include "orchestrator/app/apps/lifecycle.h"
#include "tests/sim/leader.h"

namespace baton::sim {

Router::Router(World& world, std::string id, Comes comes) : world_(world), id_(std::move(id)), comes_(comes) {
  Moment& moment = world_.store().moment();
  moment.consumers.insert(id_);
  if (comes_ == Comes::kKnown) return;
  world_.Note(id_.str() + " comes" + (comes_ == Comes::kMute ? ", and says nothing" : ""));
  moment.heard[id_] = world_.now();
  moment.counted_since[id_] = TimePoint::max();
  if (comes_ == Comes::kLate) {
    for (const auto& one : world_.leaderships()) Reconnect(*one);
  }
  // It has applied all that it got on connecting; or it is not waited for any longer before it counts as heard of.
  world_.After(comes_ == Comes::kLate ? seconds(4) : seconds(60), [this] {
    Moment& now = world_.store().moment();
    if (!silent_) now.heard.erase(id_);
    if (comes_ == Comes::kLate) now.counted_since[id_] = world_.now();
  });
}

void Router::Follow(const AppState& app) {
  if (comes_ == Comes::kMute) return;
  std::map<ActualId, InstanceGuid> serving;
  std::map<ActualId, InstanceGuid> draining;
  for (const auto& [id, lrp] : app.actuals) {
    if (lrp.state != LrpState::kRunning || !lrp.routable) continue;
    (lrp.presence == Presence::kRetiring ? draining : serving)[id] = lrp.instance_guid;
  }
  const bool lags = world_.options().routers_lag && !world_.calm();
  const Duration lag = lags ? world_.Ms(10, 3000) : world_.Ms(5, 50);
  // A stream keeps its order: what is overtaken by something newer is not applied any more.
  world_.After(lag, [this, guid = app.guid, serving, draining, number = ++sent_[app.guid]] {
    if (number > applied_[guid]) Apply(guid, serving, draining);
    applied_[guid] = std::max(applied_[guid], number);
  });
}

void Router::Apply(const ProcessGuid& guid, const std::map<ActualId, InstanceGuid>& serving,
                   const std::map<ActualId, InstanceGuid>& draining) {
  if (silent_) return;  // told again when it is back
  serving_[guid] = serving;
  served_.insert(serving.begin(), serving.end());
  if (!world_.LeaderOf(guid).up()) return;  // its stream is gone; Reconnect tells it all again
  for (const auto& [id, instance] : serving) {
    if (!acknowledged_[guid].emplace(id, instance).second) continue;
    world_.LeaderOf(guid).Report(
        "applied", guid, false,
        [this, id = id, instance = instance](AppEdit& edit) { return DecideRouteApplied(edit, id, instance, id_); },
        [this, &of = world_.LeadershipOf(guid)](const Status& status) { AskAgainIfLost(of, status); });
  }
  for (const auto& [id, instance] : draining) {
    world_.After(world_.Ms(10, 1200), [this, guid, id = id] {
      // Only if it has not come back into use here meanwhile by an older message.
      if (silent_ || !world_.LeaderOf(guid).up() || serving_[guid].contains(id)) return;
      world_.LeaderOf(guid).Report(
          "drained", guid, false, [this, id](AppEdit& edit) { return DecideRouteDrained(edit, id, id_); },
          [this, &of = world_.LeadershipOf(guid)](const Status& status) { AskAgainIfLost(of, status); });
    });
  }
}

// The leader ends the stream of whose acknowledgement could not be stored: on the next one it is all said again.
void Router::AskAgainIfLost(Leadership& leadership, const Status& status) {
  if (status || status.error().kind != ErrorKind::kUnavailable) return;
  if (!reconnecting_.insert(leadership.range()).second) return;
  world_.After(world_.Ms(10, 500), [this, &leadership] {
    reconnecting_.erase(leadership.range());
    if (leadership.leader().up()) Reconnect(leadership);
  });
}

void Router::Reconnect(const Leadership& leadership) {
  std::erase_if(acknowledged_, [&](const auto& entry) { return leadership.Has(entry.first); });
  for (const auto& [guid, app] : world_.store().apps()) {
    if (leadership.Has(guid)) Follow(app);
  }
}

void Router::FallSilent(Duration duration) {
  if (comes_ == Comes::kMute || std::exchange(silent_, true)) return;
  world_.Note(id_.str() + " falls silent");
  world_.store().moment().heard[id_] = world_.now();
  world_.After(duration, [this] {
    silent_ = false;
    for (const auto& one : world_.leaderships()) Reconnect(*one);
    // Heard of is who has applied the table that it got on connecting; that takes it longer than its lag.
    world_.After(seconds(4), [this] {
      if (!silent_) world_.store().moment().heard.erase(id_);
    });
  });
}

void Router::CheckStopped(const ActualId& id) {
  if (world_.options().routers_lag) return;  // a lag beyond drain_timeout may let it happen, as the timeout says
  for (const auto& [guid, serving] : serving_) {
    if (!serving.contains(id)) continue;
    const auto& rows = world_.store().app(guid).actuals;
    const auto row = rows.find(id);
    if (row == rows.end() || !row->second.awaits_drain) continue;
    const bool in_time = world_.now() < *row->second.drain_until;
    if (in_time || !world_.store().moment().HeardSince(id_, *row->second.drain_until)) {
      world_.Broken("I11: " + id.str() + " is stopped while " + id_.str() + " still sends to it");
    }
  }
}

}  // namespace baton::sim
