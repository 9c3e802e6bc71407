// Random apps, and what may happen to them between two passes of the planner. A seed decides everything.
#pragma once

#include <random>

#include "tests/orchestrator/roll/app_maker.h"

namespace baton {

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  int Below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  bool OneIn(int n) { return Below(n) == 0; }

 private:
  std::mt19937 engine_;
};

// All slots run v1; mostly a roll to v2 is open.
AppMaker RandomApp(Dice& dice);
// Cells and routers do something, or not; sometimes the number of instances changes; time passes.
void Disturb(AppMaker& maker, Dice& dice);
// Somebody promotes the stage that the roll waits at, if it does.
void Promote(AppMaker& maker);
// More of it: crashes, lost cells, and people who pause and hold.
void DisturbMore(AppMaker& maker, Dice& dice);

}  // namespace baton
