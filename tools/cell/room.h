// What a cell has promised to have, what its instances take of it, and what is free: numbers only.
#pragma once

#include <optional>
#include <string>

#include "orchestrator/model/definition.h"

namespace baton {

// A capacity of 0 is without limit.
struct Room {
  Resources capacity;
  Resources taken;

  // Why an instance of this size does not fit; nothing: it does.
  std::optional<std::string> Lacks(const Resources& wanted) const;
  void Take(const Resources& resources);
  void Give(const Resources& resources);
  // Never below 0. Without a limit: 0 as in the capacity.
  Resources Free() const;
};

}  // namespace baton
