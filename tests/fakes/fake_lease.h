// A row of `leases` in memory: what the fence of a writing transaction holds, and what an election waits for.
#pragma once

#include <cstdint>

namespace baton {

class FakeLease {
 public:
  std::int64_t epoch() const { return epoch_; }
  // A transaction of another epoch than the present one is refused.
  bool Hold(std::int64_t epoch) {
    if (epoch != epoch_) return false;
    ++held_;
    return true;
  }
  void Release() { --held_; }
  // The key changes only when nobody holds it.
  bool Elect() {
    if (held_ > 0) return false;
    ++epoch_;
    return true;
  }

 private:
  std::int64_t epoch_ = 1;
  int held_ = 0;
};

}  // namespace baton
