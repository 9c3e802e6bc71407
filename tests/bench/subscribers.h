// Followers of events in a process of their own.
#pragma once

#include <memory>
#include <string>

#include "tests/bench/figure.h"
#include "tests/bench/rig.h"

namespace baton::bench {

class Subscribers {
 public:
  // Returns when all follow. `events`: each ends after so many; 0: they follow on.
  Subscribers(Rig& rig, int count, int events);
  pid_t pid() const { return program_->pid(); }
  // Waits until each has had all of its events. p50 and p99 are from the begin of an event's transaction to its hands.
  struct Told {
    double p50 = 0;
    double p99 = 0;
    std::int64_t n = 0;
    std::int64_t lost = 0;
    std::int64_t doubled = 0;
  };
  Told Wait();

 private:
  std::string log_;
  std::unique_ptr<stack::Program> program_;
};

}  // namespace baton::bench
