// The program baton-demo, ended before its time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include "tests/e2e/processes.h"
#include "tests/fakes/file_lock.h"
#include "tools/shim/atomic_file.h"
#include "tools/stack/program.h"
#include "tools/stack/stack.h"
#include "tools/stack/state_dir.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

constexpr std::chrono::seconds kLimit{40};

class DemoProgram : public ::testing::Test {
 protected:
  // Until the traffic runs.
  void Start() {
    program_ = std::make_unique<stack::Program>(
        stack::Program::Start{"baton-demo", {stack::OwnDirectory() + "/baton-demo", "--instances", "2"}, log_});
    ASSERT_TRUE(stack::WaitFor(kLimit, {}, [&] { return Written().find("v2 is started") != std::string::npos; }))
        << Written();
    const std::string text = Written();
    const std::size_t begin = text.find("/var/tmp/baton-");
    stack_dir_ = text.substr(begin, text.find_first_of(" \n", begin) - begin);
    EXPECT_GE(ProcessesOf(stack_dir_).size(), 8u);
  }
  std::string Written() const { return shim::ReadWholeFile(log_).value_or(""); }

  // The demo's ports are those of the README: of two that begin in the same moment both may find them free.
  const FileLock only_{"/tmp/baton-demo-program-" + std::to_string(getuid()) + ".lock", LOCK_EX};
  stack::StateDir dir_;
  std::string log_ = dir_.path() + "/demo.log";
  std::string stack_dir_;
  std::unique_ptr<stack::Program> program_;
};

TEST_F(DemoProgram, InterruptedStopsAllAndLeavesNoTrace) {
  Start();
  program_->Signal(SIGINT);
  ASSERT_TRUE(program_->WaitForEnd(kLimit));
  EXPECT_EQ(program_->exit_status(), 130) << Written();
  EXPECT_THAT(ProcessesOf(stack_dir_), ::testing::IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(stack_dir_));
}

TEST_F(DemoProgram, KilledItsProgramsEndByThemselves) {
  Start();
  program_->Kill();
  EXPECT_TRUE(stack::WaitFor(kLimit, {}, [&] { return ProcessesOf(stack_dir_).empty(); }));
  std::filesystem::remove_all(stack_dir_);
}

}  // namespace
}  // namespace baton
