#include "orchestrator/server/apps/verdict_hosts.h"

namespace baton {
namespace {

Status CheckStages(const MayAskVerdict& may_ask, const std::vector<Stage>& stages) {
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (stages[i].verdict_url.empty()) continue;
    if (const Status may = may_ask(stages[i].verdict_url); !may) {
      return Error{may.error().kind,
                   "strategy.stages[" + std::to_string(i) + "].verdict.url: " + may.error().message, {}};
    }
  }
  return Done{};
}

}  // namespace

Status CheckVerdicts(const MayAskVerdict& may_ask, const Result<DesireRequest>& desire) {
  return desire ? CheckStages(may_ask, desire->desired.strategy.stages) : Status(desire.error());
}

Status CheckVerdicts(const MayAskVerdict& may_ask, const Result<UpdateRequest>& update) {
  if (!update) return update.error();
  return update->strategy.stages ? CheckStages(may_ask, *update->strategy.stages) : Status(Done{});
}

}  // namespace baton
