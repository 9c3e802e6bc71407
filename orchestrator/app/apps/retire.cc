#include "orchestrator/app/apps/retire.h"

#include <algorithm>
#include <string>
#include <vector>

#include "orchestrator/model/names.h"
#include "orchestrator/roll/retirement.h"
#include "orchestrator/roll/slot_board.h"

namespace baton {
namespace {

bool IsHeld(const AppState& app, int index) {
  return std::ranges::any_of(app.actuals, [&](const auto& row) {
    const ActualLrp& lrp = row.second;
    return lrp.index == index && lrp.presence == Presence::kOrdinary && lrp.incarnation == app.desired->incarnation;
  });
}

RetiredWay WayOf(const SlotBoard& board, const ActualLrp& lrp) {
  if (lrp.presence == Presence::kSurge) return RetiredWay::kTriedAnew;
  if (!board.CellDrains(lrp) && LeftToRoll(board.app(), lrp)) {
    if (!board.Moves()) return RetiredWay::kWaitsForRoll;
    return board.GivenUp(lrp.index) ? RetiredWay::kAfterRoll : RetiredWay::kRollNext;
  }
  return MayRun(lrp) ? RetiredWay::kReplaced : RetiredWay::kMadeAnew;
}

// "slot 3", "slots 0, 2 to 7".
std::string Slots(const std::vector<int>& indexes) {
  std::string text = indexes.size() == 1 ? "slot " : "slots ";
  for (std::size_t i = 0; i < indexes.size();) {
    std::size_t last = i;
    while (last + 1 < indexes.size() && indexes[last + 1] == indexes[last] + 1) ++last;
    if (last == i + 1) last = i;  // of two each is named
    text += (i > 0 ? ", " : "") + std::to_string(indexes[i]) + (last > i ? " to " + std::to_string(indexes[last]) : "");
    i = last + 1;
  }
  return text;
}

// What is said of all slots of one way.
std::string Said(const SlotBoard& board, RetiredWay way, const std::vector<int>& indexes) {
  const bool one = indexes.size() == 1;
  const std::string are = Slots(indexes) + (one ? " is " : " are ");
  const std::string it = one ? "it is " : "they are ";
  const Roll* roll = board.roll();
  switch (way) {
    case RetiredWay::kReplaced:
      return are + "replaced" +
             (one ? "" : ", " + std::to_string(RetiredAtOnce(board.strategy(), board.limits())) + " at a time");
    case RetiredWay::kRollNext:
      return are + (one ? "the roll's next one" : "the roll's next ones") + ", to " + Goal(*roll).str();
    case RetiredWay::kWaitsForRoll:
      return Slots(indexes) + (one ? " waits" : " wait") + " for the roll to " + Goal(*roll).str() + ", which is " +
             std::string(Name(roll->state)) + ": " + WhatMovesTheRoll(*roll);
    case RetiredWay::kAfterRoll:
      return "the roll has given " + Slots(indexes) + " up: " + it + "replaced when it is over";
    case RetiredWay::kMadeAnew: return Slots(indexes) + " had crashed: " + it + "made anew at once";
    case RetiredWay::kTriedAnew:
      return std::string(one ? "the newcomer of " : "the newcomers of ") + Slots(indexes) + (one ? " is " : " are ") +
             "withdrawn, and tried anew";
  }
  return "";
}

std::string Outcome(const SlotBoard& board, const std::vector<RetiredInstance>& instances) {
  std::map<RetiredWay, std::vector<int>> by_way;
  for (const RetiredInstance& one : instances) by_way[one.way].push_back(one.index);
  std::string text;
  for (const auto& [way, indexes] : by_way) text += (text.empty() ? "" : "; ") + Said(board, way, indexes);
  return text;
}

std::vector<RetiredInstance> Meant(const SlotBoard& board, const WhichInstances& which) {
  std::vector<RetiredInstance> meant;
  for (const auto& [index, slot] : board.slots()) {
    if (which.index && index != *which.index) continue;
    for (const ActualLrp* lrp : {slot.ordinary, slot.surge}) {
      if (!lrp || lrp->state == LrpState::kUnclaimed || (which.definition && lrp->definition != *which.definition))
        continue;
      meant.push_back({lrp->id, lrp->instance_guid, index, lrp->definition, WayOf(board, *lrp)});
    }
  }
  return meant;
}

}  // namespace

Status DecideRetireInstances(AppEdit& edit, const WhichInstances& which, Retirement& out) {
  const AppState& app = edit.state();
  out = {};
  if (!app.desired) return Error{ErrorKind::kNotFound, "process_guid " + app.guid.str() + " is not desired"};
  const std::int64_t incarnation = app.desired->incarnation;
  if (which.definition && !app.definitions.contains({incarnation, *which.definition})) {
    return Error{ErrorKind::kNotFound, "definition_identifier " + which.definition->str() + " is not kept (any more)"};
  }
  if (which.index && !IsHeld(app, *which.index)) {
    return Error{ErrorKind::kNotFound,
                 "process_guid " + app.guid.str() + " has no instance with index " + std::to_string(*which.index)};
  }
  {
    Plan plan;
    const SlotBoard board(edit, plan);
    out.instances = Meant(board, which);
    out.outcome = Outcome(board, out.instances);
  }
  for (const RetiredInstance& one : out.instances) {
    const ActualLrp& lrp = app.actuals.at(one.id);
    const bool marked = MayRun(lrp) || LeftToRoll(app, lrp);
    if (marked && !lrp.retire_asked) {
      edit.Change(one.id).retire_asked = true;
    } else if (!marked && lrp.presence == Presence::kOrdinary) {
      edit.Remove(one.id);
    }
  }
  if (app.roll && !out.instances.empty()) {
    edit.LogStep({.kind = StepKind::kState,
                  .text = std::to_string(out.instances.size()) + " instances" +
                          (which.definition ? " of " + which.definition->str() : "") +
                          " are to be replaced, asked by " + edit.actor() + ": " + out.outcome});
  }
  return Done{};
}

}  // namespace baton
