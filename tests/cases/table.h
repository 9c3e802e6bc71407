// An app laid out from a case's numbers. Others count instances of a generation; ours have slots: the old ones sit in
// the last slots, the new ones fill what is free before them and then stand beside the old ones, from the first on;
// what is more than there are slots is above the count. A generation's oldest come first.
//
// Others have neither a proof that comes first nor a limit of slots in flight: the roll has its proof, and
// max_in_flight is whatever the case says, or all slots.
#pragma once

#include <string>
#include <vector>

#include "tests/cases/case.h"
#include "tests/orchestrator/roll/app_maker.h"

namespace baton::cases {

// A count, "25%", or null for nothing given. INVALID_ARGUMENT: anything else.
Result<std::optional<IntOrPercent>> AmountIn(const Json& value);
// `member` of `given`, or `otherwise` where it is not there or null.
int IntIn(const Json& given, const char* member, int otherwise);

struct Generation {
  std::string name;
  int available = 0;
  int unavailable = 0;  // exists, is not ready
};

class Table {
 public:
  // `instances` slots; surge and unavailable as `given` has them, where both come to 0 as the other does: one may be
  // unavailable. A roll from v1 to v2 with its proof is open.
  explicit Table(const Json& given);
  Table(const Json& given, int instances);

  AppMaker& maker() { return maker_; }
  Strategy& strategy() { return maker_.strategy(); }
  int instances() const { return maker_.app.desired->instances; }

  // `given.old` and `given.new`; where the old ones are of several generations, their sizes, oldest first.
  void Lay(const Json& given, const std::vector<int>& old_sizes_oldest_first = {});
  void Lay(const std::vector<Generation>& old_oldest_first, const Generation& fresh);
  // A slot that is wanted always has a row here: where nothing is, one of the old definition has waited for long.
  void Miss();
  // A row in its slot: ready for long, or started long ago and not ready.
  ActualLrp& Put(int index, Presence presence, const std::string& definition, bool ready);
  // The same, of the roll's target, that has taken its slot.
  ActualLrp& PutDone(int index);

  // One look of the planner. Rows as they were before it are kept to compare with.
  void Plan();
  const baton::Plan& plan() const { return plan_; }

  // Not RETIRING, and not one that waits for its slot.
  int Live(const std::string& definition) const;
  std::vector<int> LiveOld() const;  // of each generation, oldest first
  int Rows() const;                  // not RETIRING
  // What the last look promised: no fewer slots served than before, or than the floor asks for. An excuse for deciding
  // otherwise than others is none where this does not hold.
  bool KeptTheFloor() const;
  // What the last look did: indexes of slots, in order.
  std::vector<int> Begun() const;     // a new instance was made
  std::vector<int> Stopped() const;   // one that may run was retired or removed
  std::vector<int> Replaced() const;  // both
  bool Completed() const { return !maker_.app.roll && LastState() == RollState::kCompleted; }
  bool WaitsAtStage() const { return maker_.app.roll && maker_.app.roll->stage_since; }
  RollState LastState() const;

 private:
  bool Waits(const ActualLrp& lrp) const;

  AppMaker maker_;
  baton::Plan plan_;
  int served_before_ = 0;
  std::map<ActualId, ActualLrp> before_;
  std::vector<std::string> old_names_;
};

}  // namespace baton::cases
