#include "tools/stack/program.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <deque>
#include <fstream>

#include "tools/shim/steps/child_spec.h"
#include "tools/stack/stack_error.h"

namespace baton::stack {
namespace {

constexpr std::size_t kLinesShown = 12;
constexpr std::size_t kLineMax = 300;

Program::Ended& WhoIsTold() {
  static Program::Ended ended;
  return ended;
}

}  // namespace

void Program::OnEnd(Ended ended) { WhoIsTold() = std::move(ended); }

Program::Program(Start start) : start_(std::move(start)) {
  if (access(start_.command[0].c_str(), X_OK) != 0) {
    throw StackError("there is no program " + start_.command[0] + ": build it first (./dev demo does)");
  }
  std::vector<std::string> environment = start_.environment;
  for (char** variable = environ; *variable; ++variable)
    environment.emplace_back(*variable);  // the first of a name counts
  const UniqueFd log(open(start_.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!log.valid()) throw StackError("cannot write " + start_.log + ": " + std::strerror(errno));
  log_begins_ = static_cast<std::uintmax_t>(std::max<off_t>(0, lseek(log.get(), 0, SEEK_END)));
  Result<Process> process = Process::Spawn({.arguments = start_.command,
                                            .environment = std::move(environment),
                                            .output = log.get(),
                                            .errors = log.get(),
                                            .new_session = true,
                                            .unblock_signals = true,
                                            .parent_death_signal = SIGTERM});
  if (!process) throw StackError(process.error().message);
  process_ = std::move(*process);
}

Program::~Program() { Kill(); }

bool Program::Running() { return !WaitForEnd(std::chrono::milliseconds(0)); }

void Program::Signal(int signal) { process_->Signal(signal); }

bool Program::WaitForEnd(std::chrono::milliseconds limit) {
  if (exit_status()) return true;
  if (!process_->WaitForEnd(limit)) return false;
  if (WhoIsTold()) WhoIsTold()(start_, log_begins_);
  return true;
}

void Program::Kill() {
  Signal(SIGKILL);
  while (!WaitForEnd(std::chrono::seconds(1))) {
  }
}

std::string Program::Describe(const std::string& what) const {
  std::string text = start_.name + " " + what;
  if (exit_status()) text += "; it " + shim::DescribeExit(*exit_status());
  text += "\n  its log: " + start_.log + ", which ends:\n" + LastLines(start_.log, kLinesShown);
  return text;
}

std::string LastLines(const std::string& path, std::size_t count) {
  std::ifstream file(path);
  std::deque<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    lines.push_back("    " + line.substr(0, kLineMax) + "\n");
    if (lines.size() > count) lines.pop_front();
  }
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

}  // namespace baton::stack
