// A store whose calls wait until the test answers them.
#pragma once

#include <deque>

#include "orchestrator/ports/store.h"

namespace baton {

// Used on one thread alone: the loop's.
class WaitingStore final : public Store {
 public:
  void Submit(Call call) override { calls.push_back(std::move(call)); }
  std::deque<Call> calls;
};

}  // namespace baton
