// What the planner gives beside the changed rows.
#pragma once

#include <optional>
#include <vector>

#include "orchestrator/base/time.h"
#include "orchestrator/model/id.h"
#include "orchestrator/model/verdict.h"
#include "orchestrator/roll/reason.h"

namespace baton {

// Instances that one pass makes at most. Its rows are one transaction, and whatever else is written waits for it: 100,000
// instances of one app in one commit had other apps' calls refused. The next pass follows at once.
inline constexpr int kMadeInOnePass = 2000;

// Of slots that wait for one thing, whose reasons are named: who only acts on the plan does not read them.
enum class Reasons { kEach, kFirst };

struct Plan {
  // Steps taken in this pass; 0: nothing could be done now.
  int steps = 0;
  int made = 0;  // instances, by those steps
  int served = 0;  // slots, after those steps
  std::optional<TimePoint> wake_up_at;
  Reasons named = Reasons::kEach;
  std::vector<Reason> reasons;
  // UNCLAIMED instances that may be placed now.
  std::vector<ActualId> to_place;
  // Instances whose cells are to be told to stop them; told again with each pass until they are gone.
  std::vector<ActualId> to_stop;
  // The roll waits for an outside verdict; asked until there is one.
  std::optional<VerdictQuestion> ask;
  // Instances that should have stopped long ago.
  std::vector<ActualId> overdue;

  void WakeAt(TimePoint at) {
    if (!wake_up_at || at < *wake_up_at) wake_up_at = at;
  }
};

// The numbers of an app, as people are shown them.
struct RollProgress {
  int instances = 0;
  int served = 0;
  int updated = 0;
  int in_flight = 0;
};

}  // namespace baton
