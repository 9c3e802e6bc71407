#include "tests/tools/shim/shim_run.h"

#include <fcntl.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/tools/shim/wait.h"
#include "tools/shim/atomic_file.h"
#include "tools/shim/output_log.h"
#include "tools/shim/steps/child_spec.h"

namespace baton::testing {

v1::DesiredLRPRunInfo PlanOf(const std::string& text) {
  v1::DesiredLRPRunInfo plan;
  CHECK(google::protobuf::TextFormat::ParseFromString(text, &plan));
  return plan;
}

std::string Sh(const std::string& script) {
  return "run_action { path: \"/bin/sh\" args: \"-c\" args: \"" + script + "\" }";
}

std::vector<pid_t> ProcessesOf(const std::string& instance_guid) {
  std::vector<pid_t> found;
  for (const shim::ProcessStat& process : shim::AllProcesses()) {
    if (!process.dead() &&
        shim::WasStartedWith(process.identity.pid, std::string(shim::kInstanceMark) + "=" + instance_guid)) {
      found.push_back(process.identity.pid);
    }
  }
  return found;
}

ShimRun::ShimRun(const std::string& plan, shim::Launch launch) : dir_{scratch_.path()}, launch_(std::move(launch)) {
  if (launch_.instance_guid.empty()) launch_.instance_guid = "guid" + scratch_.path().substr(16);
  CHECK(shim::WriteLaunch(dir_, launch_).ok());
  CHECK(shim::WriteWholeFile(dir_.Plan(), PlanOf(plan).SerializeAsString()).ok());
}

ShimRun::~ShimRun() {
  if (const auto last = shim::ReadState(dir_); last && shim::Lives(last->shim)) kill(last->shim.pid, SIGKILL);
  WaitUntil([this] { return !shim::IsLocked(dir_.Lock()); });
  for (const pid_t pid : ProcessesOf(guid())) kill(pid, SIGKILL);
}

int ShimRun::Spawn(const std::vector<std::string>& arguments) {
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  pid_t pid = 0;
  CHECK(posix_spawn(&pid, BATON_SHIM, nullptr, nullptr, pointers.data(), environ) == 0);
  int status = 0;
  CHECK(waitpid(pid, &status, 0) == pid);
  return shim::ExitStatus(status);
}

int ShimRun::Start() { return Spawn({BATON_SHIM, dir_.path}); }
int ShimRun::Once() { return Spawn({BATON_SHIM, "--once", dir_.path}); }

void ShimRun::Terminate(std::int64_t grace_ms) {
  CHECK(shim::WriteStop(dir_, grace_ms).ok());
  kill(state().shim.pid, SIGTERM);
}

bool ShimRun::WaitForPhase(shim::ShimPhase phase) {
  return WaitUntil([&] { return state().phase == phase; });
}

shim::ShimState ShimRun::Finish() {
  EXPECT_TRUE(WaitForPhase(shim::ShimPhase::kExited)) << log();
  EXPECT_TRUE(WaitUntil([this] { return !shim::IsLocked(dir_.Lock()); }));
  EXPECT_EQ(ProcessesOf(guid()), std::vector<pid_t>{});
  return state();
}

bool ShimRun::WaitForLog(const std::string& piece) {
  return WaitUntil([&] { return log().find(piece) != std::string::npos; });
}

shim::ShimState ShimRun::state() const { return shim::ReadState(dir_).value_or(shim::ShimState{}); }
std::string ShimRun::log() const { return shim::ReadOutputLog(dir_.Log()); }
std::string ShimRun::RootFile(const std::string& name) const {
  return shim::ReadWholeFile(dir_.Root() + "/" + name).value_or("(none)");
}

}  // namespace baton::testing
