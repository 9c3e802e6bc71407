// Passes of convergence, as operators ask for them.
#pragma once

#include <functional>

#include "orchestrator/base/result.h"
#include "orchestrator/model/convergence/report.h"

namespace baton {

class ConvergencePasses {
 public:
  virtual ~ConvergencePasses() = default;

  using Answer = std::function<void(const Result<SweepReport>&)>;
  // From any thread. An audit: `done` gets its report, or UNAVAILABLE where it failed or this process does not lead.
  virtual void RunNow(Answer done) = 0;
  // Of the last passes.
  virtual SweepReport report() const = 0;
};

}  // namespace baton
