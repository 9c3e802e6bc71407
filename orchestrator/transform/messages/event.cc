#include "orchestrator/transform/messages/event.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "orchestrator/transform/messages/actual_lrp.h"
#include "orchestrator/transform/messages/desired_lrp.h"

namespace baton::transform {
namespace {

using Events = std::vector<v1::Event>;

v1::DesiredLRP DesiredOf(v2::DesiredLRPSchedulingInfo info) {
  static const Mapping kMapping(
      v1::DesiredLRP::descriptor(), {v2::DesiredLRPSchedulingInfo::descriptor(), v1::DesiredLRPResource::descriptor()});
  v1::DesiredLRP made;
  v1::DesiredLRPResource resource = std::move(*info.mutable_resource());
  kMapping.Gather({&info, &resource}, made);
  return made;
}

v1::ActualLRPInfo InfoOf(v1::ActualLRP lrp) {
  static const Mapping kMapping(v1::ActualLRPInfo::descriptor(), {v1::ActualLRP::descriptor()});
  v1::ActualLRPInfo made;
  kMapping.Gather({&lrp}, made);
  return made;
}

// The instance_guid has changed, or the instance has none now.
bool ChangesGuid(const v1::ActualLRP& before, const v1::ActualLRP& after) {
  const v1::ActualLRPInstanceKey& key = before.actual_lrp_instance_key();
  return !key.instance_guid().empty() && key.instance_guid() != after.actual_lrp_instance_key().instance_guid();
}

class Burst {
 public:
  explicit Burst(bool groups) : groups_(groups) {}

  // Of one commit. What goes comes last.
  void Add(v2::Event& event) {
    sequence_ = event.sequence();
    std::optional<v1::ActualLRP> before = event.has_actual_before() ? ToV1(*event.mutable_actual_before()) : std::nullopt;
    std::optional<v1::ActualLRP> after = event.has_actual_after() ? ToV1(*event.mutable_actual_after()) : std::nullopt;
    if (event.kind() == "desired_created") {
      *Next().mutable_desired_lrp_created()->mutable_desired_lrp() = DesiredOf(event.desired_after());
    } else if (event.kind() == "desired_changed") {
      auto& changed = *Next().mutable_desired_lrp_changed();
      *changed.mutable_before() = DesiredOf(event.desired_before());
      *changed.mutable_after() = DesiredOf(event.desired_after());
    } else if (event.kind() == "desired_removed") {
      *Next().mutable_desired_lrp_removed()->mutable_desired_lrp() = DesiredOf(event.desired_before());
    } else if (event.kind() == "actual_crashed") {
      if (before && after) Crashed(*before, *after);
    } else if (before && after && !ChangesGuid(*before, *after)) {
      Changed(*std::move(before), *std::move(after));
    } else {
      if (after) Created(*std::move(after));
      if (before) Removed(*std::move(before));
    }
  }

  void End(Events& all) {
    std::ranges::move(made_, std::back_inserter(all));
    std::ranges::move(last_, std::back_inserter(all));
    made_.clear();
    last_.clear();
  }

 private:
  v1::Event& Next() { return Next(made_); }
  v1::Event& Next(Events& events) {
    events.emplace_back().set_sequence(sequence_);
    return events.back();
  }

  static v1::ActualLRPGroup GroupOf(v1::ActualLRP lrp) {
    v1::ActualLRPGroup group;
    const bool evacuates = lrp.presence() == v1::ActualLRP::EVACUATING;
    *(evacuates ? group.mutable_evacuating() : group.mutable_instance()) = std::move(lrp);
    return group;
  }

  void Crashed(const v1::ActualLRP& before, const v1::ActualLRP& after) {
    v1::ActualLRPCrashedEvent& crashed = *Next().mutable_actual_lrp_crashed();
    *crashed.mutable_actual_lrp_key() = before.actual_lrp_key();
    *crashed.mutable_actual_lrp_instance_key() = before.actual_lrp_instance_key();
    crashed.set_crash_count(after.crash_count());
    crashed.set_crash_reason(after.crash_reason());
    crashed.set_since(after.since());
  }
  void Created(v1::ActualLRP lrp) {
    if (groups_) {
      *Next().mutable_actual_lrp_created()->mutable_actual_lrp_group() = GroupOf(std::move(lrp));
    } else {
      *Next().mutable_actual_lrp_instance_created()->mutable_actual_lrp() = std::move(lrp);
    }
  }
  void Removed(v1::ActualLRP lrp) {
    if (groups_) {
      *Next(last_).mutable_actual_lrp_removed()->mutable_actual_lrp_group() = GroupOf(std::move(lrp));
    } else {
      *Next(last_).mutable_actual_lrp_instance_removed()->mutable_actual_lrp() = std::move(lrp);
    }
  }
  void Changed(v1::ActualLRP before, v1::ActualLRP after) {
    if (groups_) {
      v1::ActualLRPChangedEvent& changed = *Next().mutable_actual_lrp_changed();
      *changed.mutable_before() = GroupOf(std::move(before));
      *changed.mutable_after() = GroupOf(std::move(after));
      return;
    }
    v1::ActualLRPInstanceChangedEvent& changed = *Next().mutable_actual_lrp_instance_changed();
    *changed.mutable_actual_lrp_key() = after.actual_lrp_key();
    *changed.mutable_actual_lrp_instance_key() = after.actual_lrp_instance_key();
    *changed.mutable_before() = InfoOf(std::move(before));
    *changed.mutable_after() = InfoOf(std::move(after));
  }

  bool groups_;
  std::int64_t sequence_ = 0;
  Events made_;
  Events last_;
};

// Events of one commit follow each other, are of one app, and happened at one time.
Events EventsTold(v2::SubscribeResponse& message, bool groups) {
  Events all;
  Burst burst(groups);
  const v2::Event* last = nullptr;
  for (v2::Event& event : *message.mutable_events()) {
    if (event.unreadable()) continue;
    if (last && (last->at() != event.at() || last->process_guid() != event.process_guid())) burst.End(all);
    burst.Add(event);
    last = &event;
  }
  burst.End(all);
  return all;
}

}  // namespace

v2::SubscribeRequest ToV2(const v1::EventsByCellId& request) {
  v2::SubscribeRequest made;
  made.set_cell_id(request.cell_id());
  made.add_kinds("desired");
  made.add_kinds("actual");
  return made;
}

std::vector<v1::Event> InstanceEvents(v2::SubscribeResponse message) { return EventsTold(message, false); }
std::vector<v1::Event> GroupEvents(v2::SubscribeResponse message) { return EventsTold(message, true); }

}  // namespace baton::transform
