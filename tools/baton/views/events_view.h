// What `baton events` prints of each event.
#pragma once

#include <string>

#include "baton/v2/events_service.pb.h"

namespace baton::cli {

// "120 17:03:09 actual_changed  hello/0 v2: CLAIMED -> RUNNING on cell-1".
std::string EventLine(const v2::Event& event);
// One line of JSON.
std::string EventJson(const v2::Event& event);

}  // namespace baton::cli
