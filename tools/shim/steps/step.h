// One node of an action's tree while it runs. A step reports its end to its parent, in the loop's thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "baton/v1/actions.pb.h"
#include "tools/shim/event_loop.h"
#include "tools/shim/instance_dir.h"
#include "tools/shim/steps/children.h"

namespace baton::shim {

struct Outcome {
  bool ok = true;
  std::optional<int> exit_status;  // of the process that decided it
  std::string reason;              // one sentence without a secret; empty if ok
  std::string action;              // which one failed
  bool lacks = false;              // not for the action's own fault: the machine has too little of something
};

// What all steps of an instance share.
struct StepContext {
  EventLoop& loop;
  Children& children;
  OutputLog& log;
  std::string root;
  Launch launch;
  std::vector<v1::EnvironmentVariable> definition_environment;
  std::string app_user;  // of the action; empty: the shim's own
};

// How long what got SIGTERM has until SIGKILL.
using StepGrace = EventLoop::Clock::duration;

class Step {
 public:
  using Done = std::function<void(Outcome)>;
  virtual ~Step() = default;

  // Once. `done` runs exactly once, maybe before this returns.
  virtual void Start(Done done) = 0;
  // Before or after Start, and again with less patience: what runs gets SIGTERM, after `grace` SIGKILL; what did not
  // begin does not. `done` still runs.
  virtual void Stop(StepGrace grace) = 0;
};

// `where` names the tree for people: "action", "setup", "sidecar 1". An action of a kind that is not known fails.
std::unique_ptr<Step> MakeStep(const v1::Action& action, StepContext& context, const std::string& where);

}  // namespace baton::shim
