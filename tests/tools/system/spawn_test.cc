// Starting a program, its end, and what it gets of this process.
#include "tools/system/spawn.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>

namespace baton {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr auto kLong = 30s;

Process Spawned(const ProgramStart& start) {
  Result<Process> process = Process::Spawn(start);
  EXPECT_TRUE(process.ok()) << process.error().message;
  return std::move(*process);
}

Process Shell(const std::string& script) { return Spawned({.arguments = {"/bin/sh", "-c", script}}); }

// What it writes, to its end.
std::string Output(ProgramStart start) {
  PipeEnds pipe = MakePipe();
  start.output = start.errors = pipe.write.get();
  Process process = Spawned(start);
  pipe.write.Reset();
  std::string text;
  char bytes[4096];
  for (ssize_t n; (n = read(pipe.read.get(), bytes, sizeof bytes)) > 0;)
    text.append(bytes, static_cast<std::size_t>(n));
  process.WaitForEnd();
  return text;
}

std::string Output(ProgramStart start, const std::string& script) {
  start.arguments = {"/bin/sh", "-c", script};
  return Output(start);
}

std::ptrdiff_t OpenFiles() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

TEST(Spawn, AProgramThatIsNotThereIsToldWithItsNameAndWhy) {
  const auto none = Process::Spawn({.arguments = {"/no/such/program"}});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, ErrorKind::kInternal);
  EXPECT_EQ(none.error().message, "cannot start /no/such/program: No such file or directory");
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // and no zombie
}

TEST(Spawn, AFolderThatIsNotThereIsToldToo) {
  const auto none = Process::Spawn({.arguments = {"/bin/true"}, .directory = "/no/such/folder"});
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(none.error().message, HasSubstr("No such file"));
}

TEST(Spawn, AProgramIsLookedForInThePath) { Spawned({.arguments = {"true"}}).WaitForEnd(); }

TEST(Spawn, TellsTheExitStatus) {
  Process process = Shell("exit 3");
  ASSERT_TRUE(process.WaitForEnd(kLong));
  EXPECT_EQ(process.exit_status(), 3);
  EXPECT_EQ(DescribeEnd(process.exit_status()), "exit status 3");
  EXPECT_TRUE(process.WaitForEnd(0ms));  // told again
  EXPECT_EQ(process.exit_status(), 3);
}

TEST(Spawn, TellsTheSignal) {
  Process process = Shell("exec sleep 1000");
  EXPECT_TRUE(process.Running());
  process.Signal(SIGKILL);
  ASSERT_TRUE(process.WaitForEnd(kLong));
  EXPECT_EQ(process.exit_status(), -SIGKILL);
  EXPECT_EQ(DescribeEnd(process.exit_status()), "signal 9");
  process.Signal(SIGKILL);  // nobody
}

TEST(Spawn, AWaitEndsAtItsLimit) {
  Process process = Shell("exec sleep 1000");
  const auto began = std::chrono::steady_clock::now();
  EXPECT_FALSE(process.WaitForEnd(50ms));
  EXPECT_GE(std::chrono::steady_clock::now() - began, 50ms);
  EXPECT_EQ(process.exit_status(), std::nullopt);
  process.Signal(SIGTERM);
  EXPECT_TRUE(process.WaitForEnd(kLong));
}

TEST(Spawn, ItsDescriptorIsReadableAtItsEnd) {
  Process process = Shell("exit 0");
  pollfd ended{.fd = process.fd(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(poll(&ended, 1, 30'000), 1);
  EXPECT_FALSE(process.Running());
  EXPECT_FALSE(Process::Open(process.pid())) << "a zombie";
  process.WaitForEnd();
}

TEST(Spawn, WhatItWritesIsCaptured) {
  EXPECT_EQ(Output({}, "echo out; echo err >&2; cat"), "out\nerr\n") << "and stdin is at its end";
}

TEST(Spawn, EnvironmentAndFolderAreAsGiven) {
  EXPECT_EQ(Output({.environment = {{"COLOUR=green"}}, .directory = "/"}, "echo $COLOUR:$HOME:$(pwd)"), "green::/\n");
}

TEST(Spawn, NoFileOfThisProcessIsOpenInIt) {
  const int leak = open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  EXPECT_EQ(Output({}, "test -e /proc/$$/fd/" + std::to_string(leak) + " && echo open"), "");
  close(leak);
}

TEST(Spawn, NoFileIsLeftOpenHere) {
  const auto before = OpenFiles();
  for (int i = 0; i < 5; ++i) Shell("exit 0").WaitForEnd();
  EXPECT_FALSE(Process::Spawn({.arguments = {"/no/such/program"}}).ok());
  EXPECT_EQ(OpenFiles(), before);
}

TEST(Spawn, ASessionOfItsOwnWhenAskedFor) {
  Process own = Spawned({.arguments = {"/bin/sleep", "1000"}, .new_session = true});
  Process same = Shell("exec sleep 1000");
  EXPECT_EQ(getsid(own.pid()), own.pid());
  EXPECT_EQ(getsid(same.pid()), getsid(0));
  for (Process* process : {&own, &same}) process->Signal(SIGKILL);
  for (Process* process : {&own, &same}) process->WaitForEnd();
}

TEST(Spawn, SignalsAreInheritedOrAsInAFreshProcess) {
  const auto line = [](ProgramStart start, const char* name) {  // a shell has a mask of its own
    start.arguments = {"/bin/sed", "-n", std::string("s/^") + name + ":[[:space:]]*//p", "/proc/self/status"};
    return Output(start);
  };
  sigset_t usr1, before;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &usr1, &before);
  const auto handler = std::signal(SIGUSR2, SIG_IGN);
  EXPECT_EQ(line({}, "SigBlk"), "0000000000000200\n");
  EXPECT_EQ(line({}, "SigIgn").substr(12), "0800\n");
  EXPECT_EQ(line({.unblock_signals = true}, "SigBlk"), "0000000000000000\n");
  EXPECT_EQ(line({.default_signals = true}, "SigIgn").substr(12), "0000\n");
  sigset_t now;
  pthread_sigmask(SIG_SETMASK, &before, &now);
  EXPECT_TRUE(sigismember(&now, SIGUSR1)) << "what this thread blocks is as it was";
  std::signal(SIGUSR2, handler);
}

TEST(Spawn, IsSentASignalWhenTheThreadThatStartedItEnds) {
  std::optional<Process> process;
  std::thread([&] { process = Spawned({.arguments = {"/bin/sleep", "1000"}, .parent_death_signal = SIGTERM}); }).join();
  ASSERT_TRUE(process->WaitForEnd(kLong));
  EXPECT_EQ(process->exit_status(), -SIGTERM);
}

TEST(Spawn, RunsAsAnotherUserOrSaysThatItMayNot) {
  const UnixUser nobody{"nobody", 65534, 65534};
  if (geteuid() == 0) {
    EXPECT_EQ(Output({.user = nobody}, "id -u; id -G"), "65534\n65534\n");
    EXPECT_EQ(geteuid(), 0U) << "and this process as before";
  } else {
    EXPECT_THAT(Process::Spawn({.arguments = {"/bin/true"}, .user = nobody}).error().message,
                HasSubstr("not permitted"));
  }
}

TEST(Spawn, CpuTimeIsCounted) {
  Process process = Shell("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done");
  process.WaitForEnd();
  EXPECT_GT(process.cpu(), 1ms);
}

TEST(Process, OneThatIsNotOursIsHeldToo) {
  const std::optional<Process> parent = Process::Open(getppid());
  ASSERT_TRUE(parent);
  EXPECT_TRUE(parent->Running());
  EXPECT_NE(parent->ProgramName(), "");
  EXPECT_FALSE(Process::Open(1 << 30));
  EXPECT_EQ(DescribeEnd(parent->exit_status()), "ended");
}

}  // namespace
}  // namespace baton
