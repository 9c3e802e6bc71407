// RetireInstances: replaces healthy instances, chosen by app or by app and version. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/app_edit.h"

namespace baton {

// Those of a definition, of a slot, or all.
struct WhichInstances {
  std::optional<DefinitionId> definition;
  std::optional<int> index;
};

// What becomes of one that was asked to go.
enum class RetiredWay {
  kReplaced,      // by the restart rule, in its turn
  kRollNext,      // a roll goes away from what it runs: its slot is one of the roll's next ones
  kWaitsForRoll,  // as before, and the roll stands still: nothing is done until it moves
  kAfterRoll,     // the roll has given its slot up: replaced when that is over
  kMadeAnew,      // it had crashed: at once, without back-off
  kTriedAnew,     // it is a newcomer: withdrawn, and the roll tries the slot again
};

struct RetiredInstance {
  ActualId id;
  InstanceGuid start;  // the one that was asked to go; empty: it had crashed
  int index = 0;
  DefinitionId definition;
  RetiredWay way = RetiredWay::kReplaced;
};

struct Retirement {
  std::vector<RetiredInstance> instances;  // by slot
  std::string outcome;                     // the same for people: "slots 0, 2 are the roll's next ones, to v2; ..."
};

// Marks running instances; the planner replaces them in turn. Crashed instances are restarted at once, unless an open
// roll replaces their definition: then the roll starts the new one. `out` gets the outcome for each instance.
// NOT_FOUND: the app is not desired, has no such definition, or the slot is empty.
Status DecideRetireInstances(AppEdit& edit, const WhichInstances& which, Retirement& out);

}  // namespace baton
