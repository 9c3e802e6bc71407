#include "orchestrator/roll/rules/guards.h"

#include <algorithm>
#include <string>
#include <vector>

#include "orchestrator/roll/rules/handed_over.h"
#include "orchestrator/roll/rules/route_floor.h"
#include "orchestrator/roll/rules/stages.h"

namespace baton {
namespace {

std::string Number(int value) { return std::to_string(value); }

// Whether requests that come in by the route reach this instance.
bool Answers(const SlotBoard& board, const ActualLrp& lrp, std::size_t place) {
  if (lrp.presence == Presence::kRetiring || lrp.state != LrpState::kRunning || !lrp.routable) return false;
  const std::uint32_t port = board.Bound(lrp.definition).by_route[place];
  const auto& mapped = lrp.net_info.ports;
  return port != 0 && std::ranges::find(mapped, port, &PortMapping::container_port) != mapped.end() &&
         board.AppliedByAll(lrp);
}

// Places of the routes that only this instance answers.
std::vector<std::size_t> LastOfRoutes(const SlotBoard& board, const ActualLrp& leaving) {
  std::vector<std::size_t> alone;
  for (std::size_t place = 0; place < board.desired().routes.mapped.size(); ++place) {
    if (Answers(board, leaving, place)) alone.push_back(place);
  }
  for (const auto& [id, other] : board.app().actuals) {
    if (alone.empty()) break;
    if (id == leaving.id || other.incarnation != leaving.incarnation) continue;
    std::erase_if(alone, [&](std::size_t place) { return Answers(board, other, place); });
  }
  return alone;
}

bool TargetWouldServe(const SlotBoard& board, std::size_t place) {
  const Roll* roll = board.roll();
  if (!roll || (roll->state != RollState::kRolling && roll->state != RollState::kPaused)) return false;
  return board.Bound(roll->target).by_route[place] != 0;
}

// What has to become of a slot that is being changed, for another one's turn; in back-off there is no newcomer.
std::string ChangeDone(const SlotBoard& board) {
  if (board.changing().empty()) return "an instance that is above the count or withdrawn is gone";
  const int index = *board.changing().begin();
  const Slot& slot = board.slots().at(index);
  const std::string which = "slot " + Number(index);
  if (board.IsNewcomer(slot.ordinary) || board.IsNewcomer(slot.surge)) {
    return "the new instance of " + which + " is ready, and the old one gone";
  }
  if (board.Moves() && board.BackOffUntil(index) && !board.RunsGoal(slot.ordinary)) {
    return "the back-off of " + which + " passes, and its next attempt is ready";
  }
  return "the old instance of " + which + " is gone";
}

// No wanted slot has an instance but those that stop.
bool NothingIsThere(const SlotBoard& board) {
  return board.quiet() == 0 && std::ranges::none_of(board.slots(), [&](const auto& entry) {
           const Slot& slot = entry.second;
           return slot.index < board.instances() && (slot.ordinary || slot.surge || slot.suspect || slot.evacuating);
         });
}

bool ServesWithout(const SlotBoard& board, const Slot& slot, const ActualLrp& lrp) {
  const auto serves = [&](const ActualLrp* other) { return other != &lrp && board.Ready(other); };
  return serves(slot.ordinary) || serves(slot.surge) || serves(slot.evacuating);
}

}  // namespace

Refusal CheckLeave(const SlotBoard& board, const Slot& slot, const ActualLrp& lrp, const DefinitionId& brings) {
  const bool lowers = board.Serves(slot) && !ServesWithout(board, slot, lrp);
  if (lowers && board.served() - 1 < board.least_served()) {
    return Reason{rule::kFloor,
                  slot.index,
                  "it serves, " + Number(board.served()) + " slots are served and at least " +
                      Number(board.least_served()) + " must stay so",
                  std::nullopt,
                  std::nullopt,
                  "another slot becomes ready"};
  }
  if (Refusal refusal = CheckRouteFloor(board, slot, lrp, brings)) return refusal;
  if (board.least_served() <= 0) return std::nullopt;  // nothing need be served: no route need be answered
  const bool short_of = board.served() < board.least_served();
  if (!short_of && slot.index < board.instances()) return std::nullopt;
  for (const std::size_t place : LastOfRoutes(board, lrp)) {
    if (!short_of && !TargetWouldServe(board, place)) continue;
    const std::string route = Name(board.desired().routes.mapped[place].route);
    return Reason{rule::kHostName,
                  slot.index,
                  "it is the last one that answers " + route + ", and " + Number(board.served()) + " of " +
                      Number(board.least_served()) + " slots are served",
                  std::nullopt,
                  std::nullopt,
                  "another instance answers " + route};
  }
  return std::nullopt;
}

Refusal CheckNewcomer(const SlotBoard& board, const Slot& slot, Beside beside) {
  const Limits& limits = board.limits();
  if (beside == Beside::kOld && board.counted() + 1 > board.instances() + limits.max_surge) {
    return Reason{rule::kCeiling,
                  slot.index,
                  Number(board.counted()) + " instances are up or stopping, " + Number(board.instances()) + " + " +
                      Number(limits.max_surge) + " are allowed",
                  std::nullopt,
                  std::nullopt,
                  ChangeDone(board)};
  }
  if (board.roll() && board.roll()->source.empty()) return std::nullopt;  // the first start: all at once
  if (!board.Proved() && board.trying() > 0) {
    return Reason{
        rule::kProofFirst, slot.index,   "no new instance has taken a slot yet; until then one is tried at a time",
        std::nullopt,      std::nullopt, ChangeDone(board)};
  }
  if (Refusal refusal = CheckHandedOver(board, slot.index)) return refusal;
  if (const auto limit = StageLimit(board); limit && board.towards() >= *limit) {
    return Reason{
        rule::kStageFirst,
        slot.index,
        Number(board.towards()) + " slots run the target or are about to, the next stage is at " + Number(*limit),
        std::nullopt,
        std::nullopt,
        "the stage is reached, and its wait is over or promoted"};
  }
  if (board.in_flight() >= limits.max_in_flight) {
    return Reason{rule::kInFlight,
                  slot.index,
                  Number(board.in_flight()) + " slots are being changed, " + Number(limits.max_in_flight) +
                      " are allowed at a time",
                  std::nullopt,
                  std::nullopt,
                  ChangeDone(board)};
  }
  return std::nullopt;
}

Refusal CheckRepair(const SlotBoard& board, const Slot& slot) {
  const bool beside = slot.ordinary && MayRun(*slot.ordinary);  // it retires, and counts until it is gone
  if (slot.ordinary && !beside) return std::nullopt;            // one for another
  if (!board.CanSurge() && (beside || !slot.retiring.empty())) return std::nullopt;  // it waits until that one is gone
  const int allowed = board.instances() + board.limits().max_surge;
  if (board.stopping() == 0 || board.counted() + 1 <= allowed) return std::nullopt;
  if (slot.suspect || slot.evacuating) return std::nullopt;
  if (beside ? board.served() < board.least_served() : NothingIsThere(board)) return std::nullopt;
  return Reason{rule::kCeiling,
                slot.index,
                Number(board.counted()) + " instances are up or stopping, " + Number(board.instances()) + " + " +
                    Number(board.limits().max_surge) + " are allowed; the slot waits for room",
                std::nullopt,
                std::nullopt,
                ChangeDone(board)};
}

Refusal CheckHandOver(const SlotBoard& board, const Slot& slot) {
  if (board.Moves() && slot.index < board.instances() && board.IsNewcomer(slot.surge) && board.Ready(slot.surge)) {
    if (slot.ordinary) {
      if (Refusal refusal = CheckRouteFloor(board, slot, *slot.ordinary, slot.surge->definition)) return refusal;
    }
    // Where the old one is not ready it takes nothing from anybody. One that has to go serves on until its replacement
    // does, and that is no reason to go on (simulation seed 10141).
    const bool takes = board.Ready(slot.ordinary) || (board.Ready(slot.evacuating) && !board.RunsGoal(slot.evacuating));
    return takes ? CheckHandedOver(board, slot.index) : std::nullopt;
  }
  return Reason{rule::kMinHealthy, slot.index, "the newcomer is not ready", std::nullopt, std::nullopt, "it is ready"};
}

}  // namespace baton
