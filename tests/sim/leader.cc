#include "tests/sim/leader.h"

#include <algorithm>

#include "tests/sim/cell.h"
#include "tests/sim/router.h"

namespace baton::sim {

ProcessGuid Leader::GuidOf(const ActualId& id) const {
  const auto at = stops_.find(id);
  return at == stops_.end() ? ProcessGuid("unknown") : at->second;
}

void Leader::Crash() {
  world_.Note("the leader crashes");
  world_.MetByAll(Happening::kLeaderCrashes);
  up_ = false;
  ++life_;
  offers_.clear();
  wakes_.clear();
}

void Leader::Start() {
  up_ = true;
  ++life_;
  world_.Note("a leader starts");
  // No lease was renewed while there was no leader; that is not the cells' fault.
  for (auto& [id, lease] : world_.store().moment().cells) {
    lease.expires_at = std::max(lease.expires_at, world_.now() + seconds(10));
  }
  for (const auto& cell : world_.cells()) {
    world_.After(world_.Ms(50, 800), [this, c = cell.get(), life = life_] {
      if (life == life_ && up_) c->Hello();
    });
  }
  for (const auto& router : world_.routers()) router->Reconnect();
  TickLoop(life_);
}

void Leader::TickLoop(int life) {
  if (life != life_ || !up_) return;
  Tick();
  world_.After(seconds(5), [this, life] { TickLoop(life); });
}

void Leader::Tick() {
  for (const auto& [guid, app] : world_.store().apps()) Wake(guid, milliseconds(1));
}

void Leader::Wake(const ProcessGuid& guid, Duration delay) {
  const TimePoint at = world_.now() + delay;
  const auto [pending, fresh] = wakes_.emplace(guid, at);
  if (!fresh && pending->second <= at && pending->second > world_.now()) return;
  pending->second = at;
  world_.After(delay, [this, guid, at, life = life_] {
    if (life != life_ || !up_) return;
    const auto due = wakes_.find(guid);
    if (due == wakes_.end() || due->second != at) return;  // an earlier one was asked for, and has been
    wakes_.erase(due);
    Driven driven;
    (void)world_.Apply("plan", guid, nullptr, &driven);
    Follow(driven);
  });
}

Status Leader::Report(const std::string& name, const ProcessGuid& guid, bool whole,
                      const std::function<Status(AppEdit&)>& decide) {
  if (whole) {
    Driven driven;
    const Status status = world_.Apply(name, guid, decide, &driven);
    if (status) Follow(driven);
    return status;
  }
  const Status status = world_.Apply(name, guid, decide, nullptr);
  Wake(guid, world_.Ms(1, 20));
  return status;
}

Status Leader::UserCall(const std::string& name, const ProcessGuid& guid,
                        const std::function<Status(AppEdit&)>& decide) {
  Driven driven;
  const Status status = world_.Apply(name, guid, decide, &driven);
  world_.Note(name + " of " + guid.str() + (status ? "" : " refused: " + status.error().message));
  if (status) Follow(driven);
  return status;
}

void Leader::Follow(const Driven& driven) {
  // A crash between the commit and what is told outside: nothing of it is told.
  if (world_.options().leader_crashes && !world_.calm() && world_.rng().Percent(1)) {
    Crash();
    world_.After(world_.Ms(200, 4000), [this] {
      if (!up_) Start();
    });
    return;
  }
  for (const PlacementRequest& request : driven.to_place) Place(request);
  for (const StopRequest& stop : driven.to_stop) {
    stops_[stop.id] = driven.guid;
    world_.After(world_.Ms(1, 50), [this, stop] {
      for (const auto& cell : world_.cells()) {
        if (cell->id() == stop.cell_id) cell->Stop(stop);
      }
    });
  }
  if (driven.plan.wake_up_at) {
    const Duration delay = *driven.plan.wake_up_at - world_.now();
    if (delay <= Duration(0))
      world_.Broken("the planner wants to be woken in the past\n" + world_.Explain(driven.guid));
    Wake(driven.guid, delay);
  }
}

void Leader::Place(const PlacementRequest& request) {
  TimePoint& until = offers_[request.id];
  if (until > world_.now()) return;
  std::vector<Cell*> fit;
  for (const auto& cell : world_.cells()) {
    if (cell->Reachable() && cell->Room() > 0 && !world_.store().moment().Lost(cell->id())) fit.push_back(cell.get());
  }
  if (fit.empty()) {
    (void)Report("placement error", request.guid, false,
                 [&](AppEdit& edit) { return DecidePlacementError(edit, request.id, "no cell has room"); });
    until = world_.now() + seconds(2);
    Wake(request.guid, seconds(2) + milliseconds(1));
    return;
  }
  until = world_.now() + seconds(2);
  Cell* cell = fit[static_cast<std::size_t>(world_.rng().Between(0, static_cast<std::int64_t>(fit.size()) - 1))];
  world_.After(world_.Ms(1, 30), [cell, request] { cell->Run(request); });
  Wake(request.guid, seconds(2) + milliseconds(1));
}

}  // namespace baton::sim
