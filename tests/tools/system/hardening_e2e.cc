// What programs do before anything else.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "tests/tools/shim/wait.h"

namespace baton {
namespace {

// Calls that keep a program's memory private, in the first of its system calls that look at no more than itself. It is
// traced because afterwards root sees no difference.
std::set<std::string> PrivacyCalls(const std::string& program) {
  const pid_t pid = fork();
  if (pid == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    execl(program.c_str(), program.c_str(), "--version", nullptr);
    _exit(126);
  }
  std::set<std::string> seen;
  int status = 0;
  waitpid(pid, &status, 0);
  ptrace(PTRACE_SETOPTIONS, pid, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  while (WIFSTOPPED(status)) {
    __ptrace_syscall_info call{};
    if (WSTOPSIG(status) == (SIGTRAP | 0x80) &&
        ptrace(PTRACE_GET_SYSCALL_INFO, pid, reinterpret_cast<void*>(sizeof call), &call) > 0 &&
        call.op == PTRACE_SYSCALL_INFO_ENTRY) {
      const auto& args = call.entry.args;
      if (call.entry.nr == SYS_prctl && args[0] == PR_SET_DUMPABLE && args[1] == 0) seen.insert("no dump");
      const bool limits = call.entry.nr == SYS_setrlimit || (call.entry.nr == SYS_prlimit64 && args[2] != 0);
      if (limits && args[call.entry.nr == SYS_setrlimit ? 0 : 1] == RLIMIT_CORE) seen.insert("no core");
    }
    ptrace(PTRACE_SYSCALL, pid, nullptr, nullptr);
    if (waitpid(pid, &status, 0) != pid) break;
  }
  return seen;
}

// A core file, or an app of the same user that reads /proc/PID/mem, would have had the keys and every app's secrets.
TEST(Hardening, ProgramsThatHoldSecretsKeepTheirMemoryPrivate) {
  for (const std::string program : {"batond", "baton-cell", "baton-shim", "baton-router", "baton-definitions"}) {
    EXPECT_EQ(PrivacyCalls(BATON_BIN "/" + program), (std::set<std::string>{"no core", "no dump"})) << program;
  }
}

// A running program's line of /proc/PID/FILE that begins so; empty: there is none.
std::string ProcLine(pid_t pid, const std::string& file, const std::string& begin) {
  std::ifstream lines("/proc/" + std::to_string(pid) + "/" + file);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(begin)) return line;
  }
  return "";
}

// A key in swap outlives the program that had it.
TEST(Hardening, ABatondsKeysAreInLockedMemory) {
  if (geteuid() != 0) GTEST_SKIP() << "what such a process has in /proc is root's";
  char path[] = "/tmp/baton-locked-XXXXXX";
  const int file = mkstemp(path);  // of mode 0600
  ASSERT_GE(file, 0);
  const std::string text = "key a AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\nactive a\n";
  ASSERT_EQ(write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  close(file);
  const pid_t pid = fork();
  if (pid == 0) {  // with a database that does not answer it waits, with its keys
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    execl(BATON_BIN "/batond", "batond", "--keys", path, "--database", "host=127.0.0.1 port=1", "--insecure", "--listen", "127.0.0.1:0",
          "--metrics", "", nullptr);
    _exit(126);
  }
  const bool locked = testing::WaitUntil([&] {
    const std::string line = ProcLine(pid, "status", "VmLck:");
    return !line.empty() && line.find("\t       0 kB") == std::string::npos;
  });
  const std::string limit = ProcLine(pid, "limits", "Max core file size");
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  unlink(path);
  EXPECT_TRUE(locked);
  EXPECT_EQ(limit.substr(0, 50), "Max core file size        0                    0  ");
}

}  // namespace
}  // namespace baton
