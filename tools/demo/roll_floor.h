// How long a roll took, and how long it would have taken if Baton itself took no time: one slot after the other, each
// needs the start of its new instance, the time in which that must prove itself, and the drain of the old one; in the end
// the bake time.
#pragma once

#include <cstdint>
#include <vector>

#include "baton/v2/actual_lrp.pb.h"
#include "baton/v2/roll.pb.h"

namespace baton {

class RollTimes {
 public:
  void Add(const std::vector<v2::RollStep>& steps);
  // What drains still when the roll itself has completed, and when the last of these was gone (nanoseconds since
  // 1970). A roll writes no steps after its end.
  void AddLast(const std::vector<v2::ActualLRP>& draining, std::int64_t gone_at);

  // Of the steps: claim to routable, summed; becoming RETIRING to gone, summed.
  std::int64_t starts_ms() const { return starts_ms_; }
  std::int64_t drains_ms() const { return drains_ms_; }
  int slots() const { return slots_; }
  int failed_attempts() const { return failed_attempts_; }

  // From the roll's opening until the last old instance was gone.
  double Seconds(const v2::Roll& roll) const;
  // The roll stays open for `bake_ms` after the last hand-over; meanwhile the last old instance drains.
  double FloorSeconds(std::int64_t min_healthy_ms, std::int64_t bake_ms) const;

 private:
  std::int64_t starts_ms_ = 0;
  std::int64_t drains_ms_ = 0;
  std::int64_t drains_after_last_ms_ = 0;  // of these, since the last hand-over
  std::int64_t last_gone_at_ = 0;
  int slots_ = 0;
  int failed_attempts_ = 0;
};

}  // namespace baton
