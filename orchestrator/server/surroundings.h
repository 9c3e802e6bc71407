// What every service needs: whether this process leads, and through what it reads and writes.
#pragma once

#include <atomic>
#include <functional>
#include <optional>

#include "orchestrator/app/leader.h"
#include "orchestrator/ports/lease.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "orchestrator/ports/reader.h"
#include "orchestrator/ports/registry.h"

namespace baton {

class EventHub;
class KeyRotation;
class RollHub;
class Sweep;

struct Surroundings {
  Leader& leader;
  Reads& reads;
  Log& log;
  Metrics& metrics;
  RollHub& hub;
  EventHub& events;
  Sweep& sweep;
  Registry& registry;
  KeyRotation& keys;
  int history;  // how many proven definitions before the active one are kept
  std::function<bool()> leading;
  std::function<std::optional<LeaseView>()> who_leads;
  std::atomic<int> subscribers{0};  // of events

  // UNAVAILABLE naming the leader, where this process does not lead.
  Status CheckLeading() const {
    if (leading()) return Done{};
    const auto view = who_leads();
    const bool known = view && view->running && !view->address.empty();
    return Error{ErrorKind::kUnavailable,
                 known ? "this batond stands by; " + view->address + " leads" : "no batond leads at the moment",
                 milliseconds(500)};
  }
};

}  // namespace baton
