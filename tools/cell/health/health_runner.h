// Carries out one instance's checks, as the health law wants them, and passes on what they mean.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tools/cell/health/health_law.h"
#include "tools/cell/health/prober.h"
#include "tools/cell/machine/programs.h"
#include "tools/shim/event_loop.h"
#include "tools/shim/instance_dir.h"

namespace baton::cell {

class HealthRunner {
 public:
  using OnEvent = std::function<void(InstanceEvent)>;

  // Begins at once. `on_event` may stop this, not destroy it. A monitor run beyond its time is killed and counts as
  // failed.
  HealthRunner(shim::EventLoop& loop, Prober& prober, Programs& programs, std::string shim_path, shim::InstanceDir dir,
               std::vector<CheckSpec> checks, bool was_ready, OnEvent on_event);
  ~HealthRunner() { Stop(); }

  // No event comes after this.
  void Stop();
  const std::string& last_failure() const { return law_.last_failure(); }

 private:
  void RunDue();
  void Begin(std::size_t check);
  void BeginMonitor(std::size_t check);
  void Ended(std::size_t check, const CheckResult& result);

  shim::EventLoop& loop_;
  Prober& prober_;
  Programs& programs_;
  std::string shim_path_;
  shim::InstanceDir dir_;
  HealthLaw law_;
  OnEvent on_event_;
  shim::EventLoop::TimerId due_timer_ = 0;
  shim::EventLoop::TimerId monitor_timer_ = 0;
  pid_t monitor_ = 0;
  // Results come after we may be gone.
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace baton::cell
