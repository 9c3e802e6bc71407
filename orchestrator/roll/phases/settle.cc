// Is it done?
#include <algorithm>
#include <string>
#include <vector>

#include "orchestrator/model/calls/secret_text.h"
#include "orchestrator/roll/phases/phases.h"
#include "orchestrator/roll/rules/handed_over.h"

namespace baton {
namespace {

struct Count {
  int ready = 0;
  std::vector<int> gaps;  // given up, and served by what was there before
  bool steady = true;     // nothing that took its slot and crashed since has still to be watched
  bool clean = true;  // no SURGE row, nothing ORDINARY above the count
};

Count CountReady(const SlotBoard& board, const DefinitionId& definition) {
  Count count;
  count.ready = board.QuietOf([&](const DefinitionId& id) { return board.SameContent(id, definition); });
  for (const auto& [index, slot] : board.slots()) {
    if (slot.surge) count.clean = false;
    if (index >= board.instances()) {
      if (slot.ordinary) count.clean = false;
    } else if (board.Ready(slot.ordinary) && board.SameContent(slot.ordinary->definition, definition)) {
      ++count.ready;
      count.steady = count.steady && IsSteady(board, slot);
    } else if (board.GivenUp(index) && board.Serves(slot)) {
      count.gaps.push_back(index);
    }
  }
  return count;
}

void Prove(SlotBoard& board, const DefinitionId& id) {
  if (board.instances() == 0) return;
  const DefinitionKey key{board.desired().incarnation, id};
  if (!board.definition(id).proven_at) board.edit().ChangeDefinition(key).proven_at = board.now();
  if (board.desired().healthy != id) board.edit().ChangeDesired().healthy = id;
}

void SettleWithoutRoll(SlotBoard& board) {
  const DefinitionId active = board.desired().active;
  const bool known = board.desired().healthy == active && board.definition(active).proven_at;
  if (known || board.instances() == 0) return;
  if (CountReady(board, active).ready == board.instances()) {
    Prove(board, active);
    board.Count(1);
  }
}

bool Bakes(SlotBoard& board) {
  const Roll& roll = *board.roll();
  if (roll.state != RollState::kRolling || !roll.last_hand_over_at) return false;
  const TimePoint until = *roll.last_hand_over_at + BakeTime(board.strategy());
  if (until <= board.now()) return false;
  board.plan().WakeAt(until);
  board.plan().reasons.push_back(
      {rule::kBake, -1, "every slot is ready; bake_time runs", *roll.last_hand_over_at, until, "bake_time passes"});
  return true;
}

// Which slots were given up, and what the cell said of each last: of many, the first. What the apps wrote stays with
// the slots.
std::string Gaps(const SlotBoard& board, const std::vector<int>& gaps) {
  constexpr std::size_t kTold = 10;
  std::string text = "given up:";
  for (std::size_t i = 0; i < std::min(gaps.size(), kTold); ++i) {
    const SlotLog& log = board.Log(gaps[i]);
    text += (i == 0 ? " slot " : ", slot ") + std::to_string(gaps[i]) + " (" + std::to_string(log.failed_attempts) +
            " failed attempts, the last: " + CellsSentence(log.last_failure) + ")";
  }
  if (gaps.size() > kTold) text += ", and " + std::to_string(gaps.size() - kTold) + " more";
  return text;
}

}  // namespace

bool Settle(SlotBoard& board) {
  if (!board.roll()) {
    SettleWithoutRoll(board);
    return false;
  }
  const Roll& roll = *board.roll();
  const DefinitionId goal = Goal(roll);
  const Count count = CountReady(board, goal);
  const bool complete = count.clean && count.ready == board.instances();
  const bool with_gaps = count.clean && !count.gaps.empty() &&
                         count.ready + static_cast<int>(count.gaps.size()) == board.instances();
  const RollEvent event = complete ? RollEvent::kSettle : RollEvent::kSettleWithGaps;
  if (!(complete || with_gaps) || !Advance(roll.state, event)) return false;
  const bool back = roll.state == RollState::kRollingBack;
  if (!back && (!count.steady || Bakes(board))) return false;  // ExplainWaiting says what has to be watched
  std::string reason =
      std::to_string(count.ready) + " of " + std::to_string(board.instances()) + " slots run " + goal.str();
  if (back) reason += "; it went back: " + roll.reason;
  if (with_gaps) reason += "; " + Gaps(board, count.gaps);
  if (complete && !back) Prove(board, goal);
  return Apply(board, event, reason);
}

}  // namespace baton
