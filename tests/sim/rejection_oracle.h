// Whom a rejection may keep waiting, said a second time: what was rejected, and nobody else. Of one leader's
// placements; no code of orchestrator/placement decides here.
#pragma once

#include <map>
#include <set>
#include <string>

#include "orchestrator/base/time.h"
#include "orchestrator/placement/refusals.h"

namespace baton::sim {

class RejectionOracle {
 public:
  // What cells have answered. `own_fault`: the cell could have run nothing at all.
  void Rejected(const Asked& asked, const CellId& cell, bool own_fault, TimePoint now);
  void Claimed(const CellId& cell) { faults_.erase(cell); }

  // The cell has room and is not asked for it; empty: with good reason.
  std::string LeftOut(const Asked& asked, const CellId& cell, TimePoint now) const;
  // No cell is asked for it at all; empty: with good reason.
  std::string Waits(const Asked& asked, TimePoint now) const;

 private:
  std::map<Asked, std::map<CellId, TimePoint>> rejected_;  // when last
  // Apps that were rejected for the cell's own fault since its last claim; and when the third of these was.
  std::map<CellId, std::set<ProcessGuid>> faults_;
  std::map<CellId, TimePoint> ill_;
};

}  // namespace baton::sim
