// splitmix64: the same numbers on every machine and with every library, so that a seed replays a run.
#pragma once

#include <cstdint>

namespace baton::sim {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  // From `least` to `most`, both included.
  std::int64_t Between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(Next() % static_cast<std::uint64_t>(most - least + 1));
  }
  bool Percent(int percent) { return Between(1, 100) <= percent; }

 private:
  std::uint64_t state_;
};

}  // namespace baton::sim
