// What the built programs are made of, and what they do before anything else.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <set>
#include <string>

namespace baton {
namespace {

std::string OutputOf(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  char piece[4096];
  while (const std::size_t count = fread(piece, 1, sizeof piece, pipe)) output.append(piece, count);
  pclose(pipe);
  return output;
}

bool Has(const std::string& text, const std::string& piece) { return text.find(piece) != std::string::npos; }

TEST(Hardening, ProgramsHaveNoFixedPlaceAndNoTableThatCanBeWritten) {
  for (const std::string program : {"batond", "baton", "baton-cell", "baton-shim", "baton-router", "baton-definitions"}) {
    SCOPED_TRACE(program);
    const std::string read = OutputOf("readelf -hlWd " BATON_BIN "/" + program);
    EXPECT_TRUE(Has(read, "DYN (Position-Independent Executable file)"));
    EXPECT_TRUE(Has(read, "GNU_RELRO"));
    EXPECT_TRUE(Has(read, "(FLAGS_1)") && Has(read, "Flags: NOW PIE")) << "lazy binding keeps its table writable";
    const std::size_t stack = read.find("GNU_STACK");
    ASSERT_NE(stack, std::string::npos);
    EXPECT_FALSE(Has(read.substr(stack, read.find('\n', stack) - stack), "RWE"));
    EXPECT_FALSE(Has(read, "(RPATH)"));
  }
}

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

}  // namespace
}  // namespace baton
