// Which events a subscriber follows.
#pragma once

#include <set>
#include <string>

#include "baton/v2/events_service.pb.h"
#include "orchestrator/access/access_rules.h"
#include "orchestrator/base/result.h"
#include "orchestrator/server/events/event_frame.h"

namespace baton {

struct EventFilter {
  std::string guid;
  std::string domain;
  std::string cell;
  std::set<std::string> kinds;  // Event.kind; empty: all
  Domains mine{.all = true};    // that the subscriber may see

  bool Takes(const EventFrame& frame) const;
  // Any event of this family ("actual")?
  bool TakesFamily(const std::string& family) const;
};

// INVALID_ARGUMENT with the field, and all kinds where one is not known.
Result<EventFilter> FilterFrom(const v2::SubscribeRequest& request);

}  // namespace baton
