#include "tools/cell/machine/programs.h"

#include <csignal>

namespace baton::cell {
Programs::~Programs() {
  for (const auto& [pid, program] : running_) loop_.Unwatch(program.process.fd());
}

Result<pid_t> Programs::Start(const std::vector<std::string>& arguments, OnExit on_exit) {
  // With no signal blocked or ignored: the cell blocks some for itself.
  Result<Process> process = Process::Spawn({.arguments = arguments, .unblock_signals = true, .default_signals = true});
  if (!process) return process.error();
  const pid_t pid = process->pid();
  loop_.Watch(process->fd(), [this, pid] { Ended(pid); });
  running_.emplace(pid, Program{std::move(*process), std::move(on_exit)});
  return pid;
}

void Programs::Kill(pid_t pid) {
  if (const auto program = running_.find(pid); program != running_.end()) program->second.process.Signal(SIGKILL);
}

void Programs::Ended(pid_t pid) {
  auto node = running_.extract(pid);
  Process& process = node.mapped().process;
  loop_.Unwatch(process.fd());
  process.WaitForEnd();
  node.mapped().on_exit(process.exit_status().value());
}

}  // namespace baton::cell
