// Is it done?
#include <algorithm>
#include <string>

#include "orchestrator/roll/phases.h"

namespace baton {
namespace {

struct Count {
  int ready = 0;
  int gaps = 0;
  bool clean = true;  // no SURGE row, nothing ORDINARY above the count
};

Count CountReady(const Board& board, const DefinitionId& definition) {
  Count count;
  for (const auto& [index, slot] : board.slots()) {
    if (slot.surge) count.clean = false;
    if (index >= board.instances()) {
      if (slot.ordinary) count.clean = false;
    } else if (board.Ready(slot.ordinary) && board.SameContent(slot.ordinary->definition, definition)) {
      ++count.ready;
    } else if (board.GivenUp(index)) {
      ++count.gaps;
    }
  }
  return count;
}

void Prove(Board& board, const DefinitionId& id) {
  if (board.instances() == 0) return;
  const DefinitionKey key{board.desired().incarnation, id};
  if (!board.definition(id).proven_at) board.edit().ChangeDefinition(key).proven_at = board.now();
  if (board.desired().healthy != id) board.edit().ChangeDesired().healthy = id;
}

void SettleWithoutRoll(Board& board) {
  const DefinitionId active = board.desired().active;
  const bool known = board.desired().healthy == active && board.definition(active).proven_at;
  if (known || board.instances() == 0) return;
  if (CountReady(board, active).ready == board.instances()) {
    Prove(board, active);
    board.Count(1);
  }
}

bool Bakes(Board& board) {
  const Roll& roll = *board.roll();
  if (roll.state != RollState::kRolling || !roll.last_hand_over_at) return false;
  const TimePoint until = *roll.last_hand_over_at + board.strategy().bake_time;
  if (until <= board.now()) return false;
  board.plan().WakeAt(until);
  board.plan().reasons.push_back(
      {rule::kBake, -1, "every slot is ready; bake_time runs", *roll.last_hand_over_at, until, "bake_time passes"});
  return true;
}

}  // namespace

bool Settle(Board& board) {
  if (!board.roll()) {
    SettleWithoutRoll(board);
    return false;
  }
  const Roll& roll = *board.roll();
  const DefinitionId goal = Goal(roll);
  const Count count = CountReady(board, goal);
  const bool complete = count.clean && count.ready == board.instances();
  const bool with_gaps = count.clean && count.gaps > 0 && count.ready + count.gaps == board.instances();
  const RollEvent event = complete ? RollEvent::kSettle : RollEvent::kSettleWithGaps;
  if (!(complete || with_gaps) || !Advance(roll.state, event) || Bakes(board)) return false;
  std::string reason =
      std::to_string(count.ready) + " of " + std::to_string(board.instances()) + " slots run " + goal.str();
  if (complete && roll.state != RollState::kRollingBack) Prove(board, goal);
  return Apply(board, event, reason);
}

}  // namespace baton
