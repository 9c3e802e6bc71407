// What is asked of the figures, one row a demand: docs/guide/03-speed.md shows the same table with what was reached.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/bench/figure.h"

namespace baton::bench {

struct Target {
  enum class Of { kValue, kP99, kMemory };
  enum class Way { kAtMax, kAtMin };
  const char* name;
  Of of;
  Way way;
  double asked;
  const char* bbs;  // Diego's BBS on such a machine, for people; empty: it has no such thing, or nobody measured it
};

const std::vector<Target>& Targets();

struct Verdict {
  const Target* target;
  double reached;
  bool reach;
  // How many times better than asked (above 1) or worse.
  double ratio;
};

// Of each demand on this figure.
std::vector<Verdict> Judge(const std::string& name, const Figure& figure);

}  // namespace baton::bench
