#include "orchestrator/app/leader/deadline_executor.h"

#include <utility>

namespace baton {

DeadlineExecutor::DeadlineExecutor()
    : ticker_(
          Ticker::kUntilWoken, [this] { return Work(); }, [this] { Work(); }) {}

// The call is not in `call_` when it answers: the next one may be put there.
Ticker::Wait DeadlineExecutor::Work() {
  if (busy_) {
    if (const auto call = std::exchange(call_, nullptr)) call();
  }
  return Ticker::kUntilWoken;
}

}  // namespace baton
