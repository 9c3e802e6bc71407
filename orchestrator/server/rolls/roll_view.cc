#include "orchestrator/server/rolls/roll_view.h"

#include "orchestrator/server/callers/grant.h"

#include <map>
#include <numeric>

#include "orchestrator/base/errors.h"
#include "orchestrator/roll/planner.h"
#include "orchestrator/wire/messages/strategy.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {
namespace {

// For a planner whose rows are thrown away.
class ThrowawayIds final : public IdSource {
 public:
  std::string NewUuid() override { return "planned-" + std::to_string(++next_); }
  std::int64_t NewIncarnation() override { return ++next_; }

 private:
  std::int64_t next_ = 0;
};

// The reason that says most about a slot: what it waits for now, before what would come next.
void SetWaitsFor(const std::vector<Reason>& reasons, std::map<int, v2::Slot*>& slots) {
  for (const Reason& reason : reasons) {
    const auto slot = slots.find(reason.index);
    if (slot == slots.end()) continue;
    const bool guard = std::string_view(reason.rule).starts_with("guard.");
    if (slot->second->has_waits_for() && guard) continue;
    *slot->second->mutable_waits_for() = wire::ToMessage(reason);
  }
}

void AddSlots(const AppRead& read, v2::Roll& message) {
  const AppState& app = read.app;
  std::map<int, v2::Slot*> slots;
  std::map<int, std::vector<const ActualLrp*>> rows;
  for (int i = 0; i < app.desired->instances; ++i) rows[i];
  for (const auto& [id, lrp] : app.actuals) {
    if (lrp.incarnation == app.desired->incarnation) rows[lrp.index].push_back(&lrp);
  }
  for (const auto& [index, lrps] : rows) {
    v2::Slot* slot = message.add_slots();
    slot->set_index(index);
    for (const ActualLrp* lrp : lrps) *slot->add_instances() = wire::ToMessage(app.guid, *lrp);
  }
  for (auto& slot : *message.mutable_slots()) slots[slot.index()] = &slot;
  for (const SlotState& state : SlotStates(app, read.moment)) {
    slots.at(state.index)->set_served(state.served);
    slots.at(state.index)->set_updated(state.updated);
  }
  SetWaitsFor(ReasonsFor(read), slots);
}

}  // namespace

std::vector<Reason> ReasonsFor(const AppRead& read) {
  AppState copy = read.app;
  Moment moment = read.moment;
  ThrowawayIds ids;
  moment.ids = &ids;
  AppEdit edit(copy, moment, "explain");
  return PlanRoll(edit).reasons;
}

v2::Roll RollSummary(const AppState& app, const Moment& moment) {
  v2::Roll message = wire::ToMessage(app.guid, *app.roll);
  wire::SetTimes(*app.roll, moment.now, message);
  *message.mutable_strategy() = wire::ToMessage(app.roll->strategy);
  const RollProgress progress = Progress(app, moment);
  message.set_instances(progress.instances);
  message.set_served(progress.served);
  message.set_updated(progress.updated);
  message.set_in_flight(progress.in_flight);
  message.set_failed_attempts(
      std::accumulate(app.slot_logs.begin(), app.slot_logs.end(), 0,
                      [](int sum, const auto& entry) { return sum + entry.second.failed_attempts; }));
  return message;
}

std::optional<v2::Roll> RollAfter(const Decided& decided) {
  if (decided.state.roll) return RollSummary(decided.state, decided.moment);
  if (decided.changes.closed_rolls.empty()) return std::nullopt;
  return wire::ToMessage(decided.state.guid, decided.changes.closed_rolls.back());
}

v2::Roll OpenRollView(const AppRead& read) {
  v2::Roll message = RollSummary(read.app, read.moment);
  AddSlots(read, message);
  return message;
}

Result<RollRead> FindRoll(Reader& reader, const RollId& id, const ProcessGuid& guid, const Grant& grant) {
  auto found = id.empty() ? reader.ReadLatestRoll(guid) : reader.ReadRoll(id);
  if (!found && id.empty() && found.error().kind == ErrorKind::kDataLoss) {
    const Error told = grant.ErrorFor(reader, guid, found.error());
    return told.kind == ErrorKind::kNotFound ? NoRollOf(guid.str()) : told;
  }
  if (!found || grant.all()) return found;
  const Status may = grant.MaySee(reader, found->guid);
  if (may) return found;
  if (may.error().kind != ErrorKind::kNotFound) return may.error();
  return NoRollOf(id.empty() ? guid.str() : "id " + id.str());
}

Result<v2::Roll> RollView(Reader& reader, const RollRead& found) {
  if (!IsOpen(found.roll.state)) return wire::ToMessage(found.guid, found.roll);
  const auto app = reader.ReadApp(found.guid);
  if (!app) return app.error();
  const bool still = app->app.desired && app->app.roll && app->app.roll->id == found.roll.id;
  if (still) return OpenRollView(*app);
  // It was finished meanwhile.
  const auto again = reader.ReadRoll(found.roll.id);
  if (!again) return again.error();
  return wire::ToMessage(again->guid, again->roll);
}

}  // namespace baton
