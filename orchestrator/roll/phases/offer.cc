// What may be placed now.
#include "orchestrator/roll/phases/phases.h"

namespace baton {

void OfferPlacement(SlotBoard& board) {
  for (const auto& [index, slot] : board.slots()) {
    if (index >= board.instances()) continue;
    for (const ActualLrp* lrp : {slot.ordinary, slot.surge}) {
      if (!lrp || lrp->state != LrpState::kUnclaimed) continue;
      if (!board.WaitsForSlot(slot, *lrp)) board.plan().to_place.push_back(lrp->id);
    }
  }
}

}  // namespace baton
