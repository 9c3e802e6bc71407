// Asks somebody outside for a verdict.
#pragma once

#include <functional>

#include "orchestrator/model/verdict.h"

namespace baton {

class Asker {
 public:
  virtual ~Asker() = default;
  // Never blocks. `done` is called once, on a thread of the asker, within the question's timeout: brief, and never
  // blocking. Not called any more once the asker is destroyed.
  virtual void Ask(const VerdictQuestion& question, std::function<void(VerdictAnswer)> done) = 0;
};

}  // namespace baton
