#include "tools/cell/instances/dead.h"

#include "tools/cell/cell_options.h"

namespace baton::cell {

void DeadInstances::Add(const shim::InstanceDir& dir) {
  if (!shim::ReadState(dir)) return trash_.Throw(dir.path);
  dirs_.push_back(dir.path);
  if (dirs_.size() <= kDeadKept) return;
  trash_.Throw(dirs_.front());
  dirs_.pop_front();
}

}  // namespace baton::cell
