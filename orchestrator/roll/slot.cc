#include "orchestrator/roll/slot.h"

namespace baton {

void SlotShare::Add(const SlotShare& share, int slots) {
  served += slots * share.served;
  counted += slots * share.counted;
  stopping += slots * share.stopping;
  trying += slots * share.trying;
  in_flight += slots * share.in_flight;
  towards += slots * share.towards;
  partial += slots * share.partial;
  replaced += slots * share.replaced;
}

}  // namespace baton
