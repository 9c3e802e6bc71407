// A baton-web of its own, beside a rig's batond.
#pragma once

#include <string>

#include "tests/bench/rig.h"
#include "tools/stack/program.h"

namespace baton::bench {

class RunningPage {
 public:
  // Returns when it listens.
  explicit RunningPage(Rig& rig);
  int port() const { return port_; }
  pid_t pid() const { return program_.pid(); }

 private:
  const int port_;
  const std::string log_;
  stack::Program program_;
};

}  // namespace baton::bench
