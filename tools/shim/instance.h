// Runs one instance from its set-up to its last process: the job of baton-shim.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "baton/v1/desired_lrp.pb.h"
#include "tools/shim/event_loop.h"
#include "tools/shim/instance_dir.h"
#include "tools/shim/output_log.h"
#include "tools/shim/steps/children.h"
#include "tools/shim/steps/step.h"

namespace baton::shim {

class Instance {
 public:
  // The caller holds the directory's lock. `ended` runs when nothing of the instance is left and its last state is
  // written.
  Instance(EventLoop& loop, InstanceDir dir, std::function<void()> ended);

  void Start();
  // SIGTERM now, SIGKILL after the grace of the stop file, or of the launch; again: with the grace of then.
  void Stop();

 private:
  void Begin(const v1::DesiredLRPRunInfo& plan);
  void SetupEnded(Outcome outcome);
  void RunLongRunning();
  void Ended(Outcome outcome);
  void Gone();
  void Enter(ShimPhase phase);
  void SaveState();

  EventLoop& loop_;
  InstanceDir dir_;
  std::function<void()> ended_;
  ShimState state_;
  OutputLog log_;
  Children children_;
  v1::DesiredLRPRunInfo plan_;
  std::unique_ptr<StepContext> context_;
  std::unique_ptr<Step> setup_;
  std::unique_ptr<Step> long_running_;
  Step* current_ = nullptr;
  EventLoop::Time stop_deadline_{};  // epoch: not told to stop
};

}  // namespace baton::shim
