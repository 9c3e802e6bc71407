// An instance under a real baton-shim, for tests.
#pragma once

#include <string>
#include <vector>

#include "baton/v1/desired_lrp.pb.h"
#include "tests/tools/shim/scratch_dir.h"
#include "tools/shim/instance_dir.h"

namespace baton::testing {

// From protobuf's text form.
v1::DesiredLRPRunInfo PlanOf(const std::string& text);
// A run action of `sh -c script`, as text; quotes in the script must be single ones.
std::string Sh(const std::string& script);
// For such a script: a child that sleeps, and what comes behind is run once it does. What is made after SIGTERM has gone out gets
// the whole grace, and so does a child that is not `sleep` yet: the shell forgets the signal there with its trap.
inline const std::string kSleeps = "sleep 100 & until grep -q sleep /proc/$!/comm; do :; done; ";

// Processes that carry the mark of the instance.
std::vector<pid_t> ProcessesOf(const std::string& instance_guid);

class ShimRun {
 public:
  // `plan` in protobuf's text form.
  explicit ShimRun(const std::string& plan, shim::Launch launch = {});
  // Kills what is left, so that a failed test leaves nothing.
  ~ShimRun();

  // Exit code of the starting process.
  int Start();
  int Once();
  void Terminate(std::int64_t grace_ms);
  bool WaitForPhase(shim::ShimPhase phase);
  // Waits for the end and gives the last state.
  shim::ShimState Finish();
  bool WaitForLog(const std::string& piece);

  shim::ShimState state() const;
  std::string log() const;
  std::string RootFile(const std::string& name) const;
  const shim::InstanceDir& dir() const { return dir_; }
  const std::string& guid() const { return launch_.instance_guid; }

 private:
  int Spawn(const std::vector<std::string>& arguments);

  ScratchDir scratch_;
  shim::InstanceDir dir_;
  shim::Launch launch_;
};

}  // namespace baton::testing
