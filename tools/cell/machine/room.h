// A cell's capacity: total, used by its instances, and free. Numbers only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "orchestrator/model/definition.h"
#include "orchestrator/model/fleet/lack.h"

namespace baton::cell {

// What there is too little of, and a sentence with the numbers.
struct Shortage {
  Lack lack = Lack::kOther;
  std::string text;
};
// "insufficient memory: 512 MiB wanted, 100 free".
Shortage TooLittle(Lack lack, std::int64_t wanted, std::int64_t free);

// A capacity of 0 is without limit.
struct Room {
  Resources capacity;
  Resources taken;

  // Why an instance of this size does not fit; nothing: it does.
  std::optional<Shortage> Lacks(const Resources& wanted) const;
  void Take(const Resources& resources);
  void Give(const Resources& resources);
  // Never below 0. Without a limit: 0 as in the capacity.
  Resources Free() const;
};

}  // namespace baton::cell
