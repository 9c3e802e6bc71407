#include "orchestrator/app/leader/verdicts.h"

#include <algorithm>

#include "orchestrator/app/apps/verdict.h"

namespace baton {
namespace {

class StoreVerdict final : public AppCommand {
 public:
  StoreVerdict(VerdictQuestion question, VerdictAnswer answer)
      : AppCommand({.name = "verdict", .guid = question.guid, .actor = "verdict"}), question_(std::move(question)),
        answer_(std::move(answer)) {}
  Status Decide(AppEdit& edit) override { return DecideVerdict(edit, question_, answer_); }

 private:
  const VerdictQuestion question_;
  const VerdictAnswer answer_;
};

}  // namespace

Duration AskVerdictAgainAfter(int times) {
  return std::min<Duration>(seconds(1) * (1 << std::min(times - 1, 5)), seconds(30));
}

void Verdicts::Ask(const VerdictQuestion& question) {
  Asked& asked = asked_[question.guid];
  if (asked.roll_id != question.roll_id || asked.stage != question.stage) {
    asked = {.roll_id = question.roll_id, .stage = question.stage};
  }
  if (asked.under_way || Loop::Steady::now() < asked.not_before) return;
  asked.under_way = true;
  ++asked.times;
  verdict_client_.Ask(question, [this, question](const VerdictAnswer& answer) {
    loop_.Post([this, question, answer] { Answered(question, answer); });
  });
}

void Verdicts::Answered(const VerdictQuestion& question, const VerdictAnswer& answer) {
  const auto at = asked_.find(question.guid);
  const bool current =
      at != asked_.end() && at->second.roll_id == question.roll_id && at->second.stage == question.stage;
  if (!current) return;  // another stage by now, or another leader
  Asked& asked = at->second;
  asked.under_way = false;
  const Duration pause = AskVerdictAgainAfter(asked.times);
  const bool over = answer.verdict != Verdict::kWait;
  asked.not_before = Loop::Steady::now() + pause;
  log_.Info("verdict", {{"app", question.guid.str()},
                        {"roll", question.roll_id.str()},
                        {"stage", question.stage},
                        {"text", answer.text},
                        TraceField(question.trace.trace_id())});
  roller_.Do(std::make_unique<StoreVerdict>(question, answer));
  if (over) return void(asked_.erase(at));  // if it could not be stored, it is asked anew
  loop_.After(pause, [this, guid = question.guid] { roller_.Wake(guid); });
}

}  // namespace baton
