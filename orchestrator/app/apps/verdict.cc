#include "orchestrator/app/apps/verdict.h"

#include <string>

#include "orchestrator/roll/transition.h"

namespace baton {

Status DecideVerdict(AppEdit& edit, const VerdictQuestion& question, const VerdictAnswer& answer) {
  const auto& roll = edit.state().roll;
  const bool waits =
      roll && roll->id == question.roll_id && roll->stage_since && roll->stages_done + 1 == question.stage;
  if (!waits) return Error{ErrorKind::kFailedPrecondition, "the roll does not wait for this verdict (any more)", {}};
  const std::string stage = "stage " + std::to_string(question.stage) + " of " + std::to_string(question.stages);
  if (answer.verdict == Verdict::kWait) {
    if (roll->verdict != answer.text) edit.ChangeRoll().verdict = answer.text;
    return Done{};
  }
  if (answer.verdict == Verdict::kFail) {
    edit.ChangeRoll().condemned = "the verdict at " + stage + " is fail: " + answer.text;
  }
  const std::string what = answer.verdict == Verdict::kFail ? "fail" : "promote";
  return ApplyRollEvent(edit, RollEvent::kPromote, stage + ": the verdict is " + what + ": " + answer.text);
}

}  // namespace baton
