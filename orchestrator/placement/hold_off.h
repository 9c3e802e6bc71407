// How long a cell that keeps getting lost is given nothing new after it came back: instances that start there only to be
// lost again would never serve.
#pragma once

#include <algorithm>

#include "orchestrator/base/time.h"

namespace baton {

// The first loss costs nothing (a machine was rebooted); then 10 s x 2^(n-2), at most 5 min.
inline Duration HoldOff(int losses) {
  if (losses < 2) return Duration(0);
  return std::min<Duration>(std::chrono::minutes(5), seconds(10) * (1 << std::min(losses - 2, 10)));
}

}  // namespace baton
