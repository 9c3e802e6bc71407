// One mapping for each kind of case: `given` becomes rows, the planner or a use case runs over them, and what it did is
// read off the rows in the words of `expect`.
#pragma once

#include <functional>
#include <map>
#include <string_view>

#include "tests/cases/case.h"

namespace baton::cases {

using Mapping = std::function<Answer(const Case&)>;
const std::map<std::string_view, Mapping>& Kinds();

// limits.cc: percentages, floors.
Answer ResolveLimitsCase(const Case& one);
Answer FloorCase(const Case& one);
// scaling.cc: how many of the new and of the old after one pass.
Answer ScaleNew(const Case& one);
Answer ScaleNewRecreate(const Case& one);
Answer ScaleOld(const Case& one);
Answer CleanupUnhealthyOld(const Case& one);
Answer ScaleDuringRoll(const Case& one);
Answer CapiStep(const Case& one);
Answer CapiUp(const Case& one);
Answer CapiDown(const Case& one);
Answer CapiFinished(const Case& one);
Answer RestartStrategy(const Case& one);
// steps.cc: which slots come next.
Answer Budget(const Case& one);
Answer Missing(const Case& one);
Answer NextGroup(const Case& one);
Answer InstanceAction(const Case& one);
Answer Promote(const Case& one);
Answer StartFirst(const Case& one);
Answer NodeLoss(const Case& one);
Answer OldAlive(const Case& one);
Answer DefinitionGc(const Case& one);
Answer WeightedStep(const Case& one);
Answer CanaryPlan(const Case& one);
// progress.cc: done, late, failed.
Answer Complete(const Case& one);
Answer ProgressCase(const Case& one);
Answer Deadline(const Case& one);
Answer DeadlineTimer(const Case& one);
Answer FailReaction(const Case& one);
// wishes.cc: what people ask for meanwhile.
Answer Hold(const Case& one);
Answer Cancel(const Case& one);
Answer DeletePreempts(const Case& one);

}  // namespace baton::cases
