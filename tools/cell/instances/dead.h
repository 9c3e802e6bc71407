// The directories of ended instances: kept for a while for their logs.
#pragma once

#include <deque>
#include <string>

#include "tools/cell/instances/record.h"
#include "tools/cell/machine/trash.h"

namespace baton::cell {

class DeadInstances {
 public:
  explicit DeadInstances(Trash& trash) : trash_(trash) {}

  // One that never ran anything is not kept; the oldest gives way.
  void Add(const shim::InstanceDir& dir);

 private:
  Trash& trash_;
  std::deque<std::string> dirs_;
};

}  // namespace baton::cell
