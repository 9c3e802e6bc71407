#include "orchestrator/app/leader/roll_traces.h"

namespace baton {

std::vector<TraceParent> RollTraces::OfSteps(const Committed& committed) {
  const std::vector<AppChanges::Cause>& causes = committed.changes.causes;
  const std::lock_guard lock(mutex_);
  const auto at = traces_.find(committed.guid);
  TraceParent trace = at == traces_.end() ? TraceParent() : at->second;
  std::vector<TraceParent> of_steps;
  std::size_t next = 0;
  for (std::size_t step = 0; step < committed.changes.steps.size(); ++step) {
    while (next < causes.size() && causes[next].first_step <= step) trace = causes[next++].trace;
    of_steps.push_back(trace);
  }
  if (!committed.whole) return of_steps;  // a report of one instance, beside the roll
  if (!committed.after.roll || trace.empty()) {
    traces_.erase(committed.guid);
  } else {
    traces_.insert_or_assign(committed.guid, trace);
  }
  return of_steps;
}

TraceParent RollTraces::Of(const ProcessGuid& guid) const {
  const std::lock_guard lock(mutex_);
  const auto at = traces_.find(guid);
  return at == traces_.end() ? TraceParent() : at->second;
}

void RollTraces::Clear() {
  const std::lock_guard lock(mutex_);
  traces_.clear();
}

}  // namespace baton
