// Apps that want an instance or none, of a kind that no cell has: rows change, and nothing is started.
#pragma once

#include <atomic>

#include "tests/bench/paced_calls.h"
#include "tests/bench/rig.h"

namespace baton::bench {

inline constexpr int kChangingApps = 200;  // all of them on one screen, and before all others by name

void MakeChangingApps(Rig& rig);

// So many changes a second of them, in turn, from its making until Stop.
class ChangingApps {
 public:
  ChangingApps(Rig& rig, int per_second);
  // Returns when all have been answered.
  void Stop() { calls_.Stop(); }
  int made() const { return made_; }

 private:
  std::unique_ptr<v2::DesiredLRPs::Stub> stub_;
  std::atomic<int> made_{0};
  PacedCalls calls_;
};

}  // namespace baton::bench
