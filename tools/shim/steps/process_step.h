// A step that is one process: a program, or a download.
#pragma once

#include <string>

#include "tools/shim/steps/child_spec.h"
#include "tools/shim/steps/step.h"

namespace baton::shim {

class ProcessStep final : public Step {
 public:
  ProcessStep(StepContext& context, ChildSpec spec, std::string label);
  ~ProcessStep() override;

  void Start(Done done) override;
  void Stop(StepGrace grace) override;

 private:
  void Ended(int exit_status);

  StepContext& context_;
  ChildSpec spec_;
  std::string label_;
  Done done_;
  pid_t pid_ = 0;  // while it runs
  bool stopped_ = false;
  EventLoop::Time kill_at_ = EventLoop::Time::max();
  EventLoop::TimerId kill_timer_ = 0;
};

// The environment of a program: the machine's few names, the definition's, the action's own, and on top what the cell
// gives. Later ones win.
std::vector<std::string> Environment(const StepContext& context, const v1::RunAction& run);

}  // namespace baton::shim
