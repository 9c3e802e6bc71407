#include "orchestrator/roll/rules/stages.h"

#include <algorithm>
#include <string>

#include "orchestrator/base/check.h"
#include "orchestrator/roll/phases/phases.h"

namespace baton {
namespace {

int ReadyWithTarget(const SlotBoard& board) {
  const auto open = std::ranges::count_if(board.slots(), [&](const auto& entry) {
    const Slot& slot = entry.second;
    return slot.index < board.instances() && board.RunsGoal(slot.ordinary) && board.Ready(slot.ordinary);
  });
  return static_cast<int>(open) + board.QuietOf([&](const DefinitionId& id) { return board.IsGoal(id); });
}

void Ask(SlotBoard& board, const Stage& stage) {
  const Roll& roll = *board.roll();
  board.plan().ask = VerdictQuestion{.guid = board.app().guid,
                                     .roll_id = roll.id,
                                     .stage = roll.stages_done + 1,
                                     .stages = static_cast<int>(board.strategy().stages.size()),
                                     .source = roll.source,
                                     .target = roll.target,
                                     .instances = board.instances(),
                                     .updated = ReadyWithTarget(board),
                                     .url = stage.verdict_url,
                                     .timeout = stage.verdict_timeout};
}

// The wait is over by itself.
bool Leave(SlotBoard& board) {
  const Roll& roll = *board.roll();
  const Stage* stage = NextStage(board);
  CHECK(stage);  // a roll keeps the stages that it was opened with
  if (!stage->verdict_url.empty()) Ask(board, *stage);
  if (!stage->wait) return false;
  const TimePoint due = *roll.stage_since + *stage->wait;
  if (due <= board.now()) return Apply(board, RollEvent::kPromote, StageName(board) + " is over");
  board.plan().WakeAt(due);
  return false;
}

bool Reach(SlotBoard& board) {
  const auto limit = StageLimit(board);
  if (!limit || board.roll()->state != RollState::kRolling || ReadyWithTarget(board) < *limit) return false;
  const Stage& stage = *NextStage(board);
  return Apply(board, RollEvent::kStage,
               StageName(board) + ": " + std::to_string(*limit) + " of " + std::to_string(board.instances()) +
                   " slots run " + board.roll()->target.str() + "; it waits " +
                   (stage.wait                  ? std::to_string(Millis(*stage.wait)) + " ms"
                    : stage.verdict_url.empty() ? "for a promotion"
                                                : "for a verdict from outside"));
}

}  // namespace

std::string StageName(const SlotBoard& board) {
  return "stage " + std::to_string(board.roll()->stages_done + 1) + " of " +
         std::to_string(board.strategy().stages.size());
}

const Stage* NextStage(const SlotBoard& board) {
  const Roll* roll = board.roll();
  if (!roll || roll->source.empty() || roll->state == RollState::kRollingBack) return nullptr;
  const auto& stages = board.strategy().stages;
  const auto next = static_cast<std::size_t>(roll->stages_done);
  return next < stages.size() ? &stages[next] : nullptr;
}

std::optional<int> StageLimit(const SlotBoard& board) {
  const Stage* stage = NextStage(board);
  if (!stage) return std::nullopt;
  const int limit = std::max(1, stage->instances.RoundedUp(board.instances()));
  if (limit >= board.instances()) return std::nullopt;  // the end of the roll comes first
  return limit;
}

bool Stages(SlotBoard& board) {
  if (!board.roll()) return false;
  return board.roll()->stage_since ? Leave(board) : Reach(board);
}

}  // namespace baton
