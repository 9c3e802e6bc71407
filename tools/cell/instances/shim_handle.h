// One instance's shim, as the cell holds it: started or found again, told to stop, seen to end.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "tools/cell/instances/sweep.h"
#include "tools/cell/machine/dir_watcher.h"
#include "tools/cell/machine/programs.h"
#include "tools/shim/event_loop.h"
#include "tools/shim/instance_dir.h"

namespace baton::cell {

// An event must not destroy the handle; its owner does that later in the loop.
class ShimHandle {
 public:
  struct Events {
    std::function<void()> up;                               // it has the directory
    std::function<void()> running;                          // set-up is done, the action has begun; once
    std::function<void(const std::string& reason)> failed;  // it did not start
    std::function<void(const shim::ShimState& last)> ended;  // and nothing of the instance is left
  };
  ShimHandle(shim::EventLoop& loop, Programs& programs, DirWatcher& watcher, std::string shim_path,
             shim::InstanceDir dir, std::string instance_guid, Events events);
  ~ShimHandle();

  // The directory holds plan and launch.
  void Launch();
  // Finds the shim that a former life of the cell started; tells up, and running or ended, as it is.
  void Adopt();
  // Whether a shim has, or had, the directory.
  bool WasStarted() const;
  // Prevents any later start of a shim in it. For an instance that was not started; the last state says `reason`.
  void Seal(const std::string& reason);

  // Works also before it is up: it then stops at once.
  void Stop(std::int64_t grace_ms);
  // The shim and all else; told as an end.
  void Kill();

 private:
  void LauncherEnded(int exit_status);
  void LookAtState();
  void Gone();
  void DeclareDead();
  Swept With(const shim::ShimState& state) const;

  shim::EventLoop& loop_;
  Programs& programs_;
  DirWatcher& watcher_;
  std::string shim_path_;
  shim::InstanceDir dir_;
  std::string instance_guid_;
  Events events_;
  UniqueFd pidfd_;
  DirWatcher::Id watch_ = -1;
  shim::EventLoop::TimerId timer_ = 0;
  bool told_running_ = false;
  bool ended_ = false;
  // What is under way elsewhere asks it whether we are still there.
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace baton::cell
