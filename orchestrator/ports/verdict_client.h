// Asks an external service for a verdict.
#pragma once

#include <functional>

#include "orchestrator/model/verdict.h"

namespace baton {

class VerdictClient {
 public:
  virtual ~VerdictClient() = default;
  // Never blocks. Calls `done` once, on a thread of its own, within the question's timeout. `done` must not block.
  // It is not called after destruction.
  virtual void Ask(const VerdictQuestion& question, std::function<void(VerdictAnswer)> done) = 0;
};

}  // namespace baton
