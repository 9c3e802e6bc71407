#include "orchestrator/roll/guards.h"

#include <algorithm>
#include <set>
#include <string>

#include "orchestrator/roll/stages.h"
#include "orchestrator/routing/resolve.h"

namespace baton {
namespace {

std::string Number(int value) { return std::to_string(value); }

std::vector<Endpoint> AppliedEndpoints(const Board& board, const ActualLrp& lrp) {
  if (lrp.presence == Presence::kRetiring || !lrp.routable || !board.AppliedByAll(lrp)) return {};
  return ResolveEndpoints(board.app().guid, board.desired().routes.http, lrp, board.definition(lrp.definition),
                          board.definition(board.desired().active));
}

// A host name that only this instance answers, if there is one.
std::string LastOfAHostName(const Board& board, const ActualLrp& leaving) {
  std::set<std::string> alone;
  for (const Endpoint& endpoint : AppliedEndpoints(board, leaving)) alone.insert(endpoint.hostname);
  for (const auto& [id, other] : board.app().actuals) {
    if (alone.empty()) break;
    if (id == leaving.id || other.incarnation != leaving.incarnation) continue;
    for (const Endpoint& endpoint : AppliedEndpoints(board, other)) alone.erase(endpoint.hostname);
  }
  return alone.empty() ? std::string() : *alone.begin();
}

bool TargetWouldServe(const Board& board, const std::string& host) {
  const Roll* roll = board.roll();
  if (!roll || (roll->state != RollState::kRolling && roll->state != RollState::kPaused)) return false;
  const auto missing = UnroutableHostNames(board.desired().routes.http, board.definition(roll->target));
  return std::ranges::find(missing, host) == missing.end();
}

// What has to become of a slot that is being changed, for another one's turn; in back-off there is no newcomer.
std::string ChangeDone(const Board& board) {
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

bool ServesWithout(const Board& board, const Slot& slot, const ActualLrp& lrp) {
  const auto serves = [&](const ActualLrp* other) { return other != &lrp && board.Ready(other); };
  return serves(slot.ordinary) || serves(slot.surge) || serves(slot.evacuating);
}

}  // namespace

Refusal CheckLeave(const Board& board, const Slot& slot, const ActualLrp& lrp) {
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
  if (board.least_served() <= 0) return std::nullopt;  // nothing need be served: no host name need be answered
  const bool short_of = board.served() < board.least_served();
  if (short_of || slot.index >= board.instances()) {
    const std::string host = LastOfAHostName(board, lrp);
    if (!host.empty() && (short_of || TargetWouldServe(board, host))) {
      return Reason{rule::kHostName,
                    slot.index,
                    "it is the last one that answers " + host + ", and " + Number(board.served()) + " of " +
                        Number(board.least_served()) + " slots are served",
                    std::nullopt,
                    std::nullopt,
                    "another instance answers " + host};
    }
  }
  return std::nullopt;
}

Refusal CheckNewcomer(const Board& board, const Slot& slot, Beside beside) {
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

Refusal CheckHandOver(const Board& board, const Slot& slot) {
  if (board.Moves() && slot.index < board.instances() && board.IsNewcomer(slot.surge) && board.Ready(slot.surge)) {
    return std::nullopt;
  }
  return Reason{rule::kMinHealthy, slot.index, "the newcomer is not ready", std::nullopt, std::nullopt, "it is ready"};
}

}  // namespace baton
