// One instance in the cell's hands: feeds its law with what happens, writes down what the law says, and does it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "orchestrator/ports/log.h"
#include "tools/cell/cell_options.h"
#include "tools/cell/health/health_runner.h"
#include "tools/cell/health/prober.h"
#include "tools/cell/instances/definitions.h"
#include "tools/cell/instances/record.h"
#include "tools/cell/instances/shim_handle.h"
#include "tools/cell/machine/cgroups.h"
#include "tools/cell/machine/dir_watcher.h"
#include "tools/cell/machine/ports.h"
#include "tools/cell/machine/programs.h"
#include "tools/cell/machine/room.h"
#include "tools/cell/machine/trash.h"
#include "tools/shim/event_loop.h"

namespace baton::cell {

// What all instances of a cell share.
struct CellTools {
  shim::EventLoop& loop;
  Log& log;
  const CellOptions& options;
  Programs& programs;
  DirWatcher& watcher;
  Prober& prober;
  Ports& ports;
  Cgroups& cgroups;
  Trash& trash;
};

class InstanceRunner;

// Whom a runner turns to. None of these may destroy the runner before the loop's next round.
class InstanceOwner {
 public:
  virtual ~InstanceOwner() = default;
  virtual void Report(InstanceRunner& runner) = 0;    // its present fact
  virtual void Withdraw(InstanceRunner& runner) = 0;  // nothing is to be told of it for now
  virtual void Fetch(InstanceRunner& runner) = 0;     // the definition; answered by TakeDefinition or CannotRun
  virtual void Forget(InstanceRunner& runner) = 0;
  virtual void PhaseChanged(InstanceRunner& runner) = 0;
};

class InstanceRunner {
 public:
  InstanceRunner(CellTools& tools, InstanceOwner& owner, InstanceRecord record);
  ~InstanceRunner();

  // A new one; an error: its record cannot be written, and nothing has begun.
  Status Begin();
  // One that was found on the disk.
  void Resume();
  void Handle(const InstanceEvent& event);
  bool wants_definition() const { return wants_definition_; }
  void TakeDefinition(DefinitionPtr definition);

  const InstanceRecord& record() const { return record_; }
  const InstanceState& state() const { return record_.state; }
  const shim::InstanceDir& dir() const { return dir_; }
  // Something of it runs, or may run.
  bool HasProcesses() const;

 private:
  void Save();
  void Settle(InstancePhase before);
  void Perform(InstanceAction action);
  void Lacks(const Shortage& shortage);
  void Launch();
  Status WriteFiles();
  void StopShim();
  void ActionRuns();
  void Clean();
  void StartClock();
  void LogPhase();

  CellTools& tools_;
  InstanceOwner& owner_;
  InstanceRecord record_;
  shim::InstanceDir dir_;
  bool wants_definition_ = false;
  DefinitionPtr definition_;  // until it is launched
  std::unique_ptr<ShimHandle> shim_;
  std::unique_ptr<HealthRunner> health_;
  shim::EventLoop::TimerId start_timer_ = 0;
  shim::EventLoop::TimerId stuck_timer_ = 0;
};

}  // namespace baton::cell
