// Which of several leaderships has an app: by the range that the hash of its guid falls into, the same on every
// machine.
#pragma once

#include <cstdint>

#include "orchestrator/model/id.h"
#include "tests/sim/rng.h"

namespace baton::sim {

// From 0 to `ranges` - 1.
inline int RangeOf(const ProcessGuid& guid, int ranges) {
  std::uint64_t hash =
      0xCBF2'9CE4'8422'2325ull;  // FNV-1a, then mixed: names that end in a number differ in low bits only
  for (const char c : guid.str()) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01B3ull;
  return static_cast<int>(((Rng(hash).Next() >> 32) * static_cast<std::uint64_t>(ranges)) >> 32);
}

}  // namespace baton::sim
