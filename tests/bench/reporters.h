// Cells in a process of their own that report many instances at once, over their streams.
#pragma once

#include <memory>
#include <string>

#include "tests/bench/rig.h"

namespace baton::bench {

class Reporters {
 public:
  // Returns when all are connected. They report round by round, `round` instances each time.
  Reporters(Rig& rig, int cells, int round);
  pid_t pid() const { return program_->pid(); }

  // Until they have been told to run all instances of a round.
  void AwaitHeld();
  // From here on they report them: claimed, and started when that is answered.
  void Go();
  // Until all of it is answered; latencies and counts are of all reports so far, from a report's sending to its answer.
  struct Told {
    double ms = 0;  // of this round, by their own clock
    double p50 = 0;
    double p99 = 0;
    std::int64_t answers = 0;
    std::int64_t refused = 0;
    std::int64_t again = 0;  // were not decided, and reported again
    std::int64_t unknown = 0;
  };
  Told AwaitTold();

 private:
  std::string AwaitLine(const std::string& begin);

  std::string log_;
  std::unique_ptr<stack::Program> program_;
};

}  // namespace baton::bench
