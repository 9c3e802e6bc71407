// Whose traces open rolls are of: that of the latest call that did something with the roll. Memory only: a roll that
// goes on under the next leader is of no trace there. Thread-safe.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "orchestrator/model/calls/trace_parent.h"
#include "orchestrator/ports/store.h"

namespace baton {

class RollTraces {
 public:
  // Of each of the commit's steps; what the app's roll does from here on is of the last one's.
  std::vector<TraceParent> OfSteps(const Committed& committed);
  // Of the app's open roll.
  TraceParent Of(const ProcessGuid& guid) const;
  void Clear();

 private:
  mutable std::mutex mutex_;
  std::map<ProcessGuid, TraceParent> traces_;  // of apps with an open roll, where it is of one
};

}  // namespace baton
