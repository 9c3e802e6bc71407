#include "orchestrator/app/apps/slot.h"

#include <string>

#include "orchestrator/model/names.h"
#include "orchestrator/roll/retirement.h"

namespace baton {
namespace {

const ActualLrp* FindStart(const AppState& app, const SlotRef& slot) {
  if (slot.instance_guid.empty()) return nullptr;
  for (const auto& [id, lrp] : app.actuals) {
    const bool same = lrp.instance_guid == slot.instance_guid && lrp.cell_id == slot.cell_id;
    if (same && MayRun(lrp) && lrp.index == slot.index) return &lrp;
  }
  return nullptr;
}

// Whose start that was, and is no more. Asked for, it refuses; any other row of the slot would take it for a new one.
const ActualLrp* FindEnded(const AppState& app, const SlotRef& slot) {
  for (const auto& [id, lrp] : app.actuals) {
    if (lrp.index == slot.index && HasEnded(lrp, slot.instance_guid)) return &lrp;
  }
  return nullptr;
}

// Of the app as it is desired now.
const ActualLrp* FindPart(const AppState& app, int index, Presence presence) {
  for (const auto& [id, lrp] : app.actuals) {
    const bool present = !app.desired || lrp.incarnation == app.desired->incarnation;
    if (lrp.index == index && lrp.presence == presence && present) return &lrp;
  }
  return nullptr;
}

// A replacement may be made beside it, and it serves until that is ready.
bool CanServeOn(const AppState& app, const ActualLrp& lrp) {
  return lrp.routable && StrategyOf(app).mode != Mode::kRecreate && !FindPart(app, lrp.index, Presence::kEvacuating);
}

std::string Named(const AppState& app, int index) {
  return "index " + std::to_string(index) + " of process_guid " + app.guid.str();
}

Error Nobody(const AppState& app, int index) {
  return {ErrorKind::kNotFound, "there is no instance with " + Named(app, index)};
}

bool RunsTheActive(const AppState& app, const ActualLrp& lrp) {
  if (!app.desired) return false;
  const auto hash = [&](const DefinitionId& id) { return app.definitions.at({lrp.incarnation, id}).content_hash; };
  return lrp.incarnation == app.desired->incarnation && hash(lrp.definition) == hash(app.desired->active);
}

// The row that waits for a cell; `active`: only of the active definition.
Result<ActualId> FindWaiting(const AppState& app, const SlotRef& slot, bool active, const std::string& done) {
  const ActualLrp* ordinary = FindPart(app, slot.index, Presence::kOrdinary);
  const ActualLrp* newcomer = FindPart(app, slot.index, Presence::kSurge);
  if (!ordinary && !newcomer) return Nobody(app, slot.index);
  for (const ActualLrp* lrp : {ordinary, newcomer}) {
    if (lrp && lrp->state == LrpState::kUnclaimed && (!active || RunsTheActive(app, *lrp))) return lrp->id;
  }
  const ActualLrp& there = ordinary ? *ordinary : *newcomer;
  const bool waits = there.state == LrpState::kUnclaimed;
  return Error{ErrorKind::kFailedPrecondition,
               Named(app, slot.index) + " cannot be " + done + ": it is " + std::string(Name(there.state)) +
                   (waits ? " of definition " + there.definition.str() + ", which is not the active one"
                          : there.cell_id.empty() ? std::string()
                                                  : " by " + there.cell_id.str() + "/" + there.instance_guid.str())};
}

}  // namespace

Result<ActualId> FindToClaim(const AppState& app, const SlotRef& slot) {
  if (const ActualLrp* own = FindStart(app, slot)) return own->id;
  if (const ActualLrp* over = FindEnded(app, slot)) return over->id;
  return FindWaiting(app, slot, true, "claimed");
}

Result<ActualId> FindToStart(const AppState& app, const SlotRef& slot) {
  if (const ActualLrp* own = FindStart(app, slot)) return own->id;
  if (const ActualLrp* over = FindEnded(app, slot)) return over->id;
  return FindWaiting(app, slot, true, "started");
}

Result<ActualId> FindToCrash(const AppState& app, const SlotRef& slot) {
  if (const ActualLrp* own = FindStart(app, slot)) return own->id;
  if (!FindPart(app, slot.index, Presence::kOrdinary)) return Nobody(app, slot.index);
  return Error{ErrorKind::kFailedPrecondition,
               Named(app, slot.index) + " cannot be crashed: it does not run as " + slot.cell_id.str() + "/" +
                   slot.instance_guid.str()};
}

Result<ActualId> FindToFail(const AppState& app, const SlotRef& slot) { return FindWaiting(app, slot, false, "failed"); }

Result<ActualId> FindToRemove(const AppState& app, const SlotRef& slot) {
  if (const ActualLrp* own = FindStart(app, slot)) return own->id;
  const ActualLrp* holder = FindPart(app, slot.index, Presence::kOrdinary);
  if (!slot.instance_guid.empty() || !holder) return Nobody(app, slot.index);
  return holder->id;
}

Status DecideStartInSlot(AppEdit& edit, const SlotRef& slot, StartReport report) {
  const auto id = FindToStart(edit.state(), slot);
  if (!id) return id.error();
  report.ref = {*id, slot.instance_guid, slot.cell_id};
  const bool claimed_already = FindStart(edit.state(), slot) != nullptr;
  if (!claimed_already) {
    if (Status claimed = DecideClaim(edit, report.ref); !claimed) return claimed;
  }
  return DecideStart(edit, report);
}

Status DecideRemoveFromSlot(AppEdit& edit, const SlotRef& slot, bool only_leaving) {
  const auto id = FindToRemove(edit.state(), slot);
  if (!id) return id.error();
  const ActualLrp& lrp = edit.state().actuals.at(*id);
  if (only_leaving && lrp.presence != Presence::kEvacuating && lrp.presence != Presence::kRetiring) {
    return Error{ErrorKind::kFailedPrecondition,
                 Named(edit.state(), slot.index) + " cannot be removed: it is " + std::string(Name(lrp.presence)) +
                     ", not on its way out"};
  }
  if (MayRun(lrp)) return DecideStopped(edit, {*id, lrp.instance_guid, lrp.cell_id});
  edit.Remove(*id);
  return Done{};
}

Status DecideEvacuateSlot(AppEdit& edit, const SlotRef& slot, bool& keep) {
  keep = false;
  const ActualLrp* own = FindStart(edit.state(), slot);
  if (!own) {
    // No row has this instance, and no other instance serves the slot yet (Diego's rule).
    const ActualLrp* holder = FindPart(edit.state(), slot.index, Presence::kOrdinary);
    keep = edit.state().desired && holder && (holder->state == LrpState::kUnclaimed || holder->state == LrpState::kClaimed);
    return Done{};
  }
  if (own->stop_ordered_at) return Done{};
  const bool holds = own->presence == Presence::kOrdinary || own->presence == Presence::kSurge;
  if (holds && own->state == LrpState::kClaimed) {
    return DecideForgotten(edit, {own->id, own->instance_guid, own->cell_id});
  }
  keep = true;
  // Its cell goes whatever a roll does: where retiring would wait for one, it serves on as on a cell that drains.
  const AppState& app = edit.state();
  if (LeftToRoll(app, *own) && CanServeOn(app, *own)) {
    edit.Change(own->id).presence = Presence::kEvacuating;
  } else if (holds && !own->retire_asked) {
    edit.Change(own->id).retire_asked = true;
  }
  return Done{};
}

}  // namespace baton
