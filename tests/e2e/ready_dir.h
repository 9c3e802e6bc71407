// A fresh directory for a stack, in which the cluster of its PostgreSQL is made already.
#pragma once

#include "tests/fakes/test_cluster.h"
#include "tools/stack/state_dir.h"

namespace baton {

class ReadyDir : public stack::StateDir {
 public:
  ReadyDir() : stack::StateDir(ClusterRoot()) { CopyClusterTo(path() + "/pg"); }
};

}  // namespace baton
