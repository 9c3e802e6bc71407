// RetireInstances: replace instances although they are well (the seed: by name, or by {name, version}). Pure.
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

// What runs is marked, and the planner replaces it in its turn; what crashed is made anew at once, unless an open roll
// goes away from it: nothing of a retired definition is started then. `out` gets what is going to become of each.
// NOT_FOUND: the app is not desired, keeps no such definition, or nobody holds that slot.
Status DecideRetireInstances(AppEdit& edit, const WhichInstances& which, Retirement& out);

}  // namespace baton
