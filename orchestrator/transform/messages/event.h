// Events of baton.v2 as Diego tells them: with instances, or with the deprecated groups.
#pragma once

#include <vector>

#include "baton/v1/bbs_service.pb.h"
#include "baton/v1/events.pb.h"
#include "baton/v2/events_service.pb.h"

namespace baton::transform {

v2::SubscribeRequest ToV2(const v1::EventsByCellId& request);

// What a message of baton.v2 tells, in Diego's order within each commit: crashes, what became or stays RUNNING, others,
// what goes. An instance that is to take a slot over is created for v1 when it does; one that loses its cell's name for
// it (it crashed, or is placed again) is created and removed.
std::vector<v1::Event> InstanceEvents(v2::SubscribeResponse message);
// Each of a slot with that one instance, as Diego makes them of instances.
std::vector<v1::Event> GroupEvents(v2::SubscribeResponse message);

}  // namespace baton::transform
