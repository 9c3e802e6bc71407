#include "tests/examples/child_process.h"

#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

namespace baton::examples {

ChildProcess::ChildProcess(const Start& start) {
  ProgramStart spawn{.arguments = start.arguments, .environment = std::vector<std::string>{}};
  spawn.arguments.insert(spawn.arguments.begin(), start.program);
  for (const auto& [name, value] : start.environment) spawn.environment->push_back(name + "=" + value);
  PipeEnds pipe = MakePipe();
  spawn.output = pipe.write.get();
  Result<Process> process = Process::Spawn(spawn);
  if (!process) throw std::runtime_error(process.error().message);
  process_ = std::move(*process);
  output_fd_ = std::move(pipe.read);
}

ChildProcess::~ChildProcess() {
  Signal(SIGKILL);
  process_->WaitForEnd();
}

void ChildProcess::Signal(int signal) { process_->Signal(signal); }

bool ChildProcess::ReadMore(std::chrono::milliseconds timeout) {
  pollfd waiting{.fd = output_fd_.get(), .events = POLLIN, .revents = 0};
  if (poll(&waiting, 1, static_cast<int>(timeout.count())) <= 0) return false;
  char bytes[4096];
  const ssize_t count = read(output_fd_.get(), bytes, sizeof(bytes));
  if (count <= 0) return false;
  output_.append(bytes, static_cast<std::size_t>(count));
  return true;
}

std::string ChildProcess::FirstLine() {
  while (output_.find('\n') == std::string::npos) {
    if (!ReadMore(std::chrono::seconds(10))) return "";
  }
  return output_.substr(0, output_.find('\n'));
}

std::optional<int> ChildProcess::WaitForEnd(std::chrono::milliseconds timeout) {
  // One whose output is not read would stand still once the pipe is full.
  using std::chrono::steady_clock;
  const auto deadline = steady_clock::now() + timeout;
  const auto left = [&] {
    return std::chrono::duration_cast<std::chrono::milliseconds>(deadline - steady_clock::now());
  };
  while (left().count() > 0 && ReadMore(left())) {
  }
  process_->WaitForEnd(left());
  return process_->exit_status();
}

const std::string& ChildProcess::Output() {
  while (ReadMore(std::chrono::milliseconds(0))) {
  }
  return output_;
}

}  // namespace baton::examples
