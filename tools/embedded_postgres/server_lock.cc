#include "tools/embedded_postgres/server_lock.h"

#include <sys/types.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>

namespace baton {
namespace {

namespace fs = std::filesystem;

constexpr int kSocketLine = 5;

// 0: none.
pid_t PidIn(const std::string& path) {
  std::ifstream file(path);
  pid_t pid = 0;
  return file >> pid && pid > 0 ? pid : 0;
}

bool IsThere(pid_t pid) { return kill(pid, 0) == 0 || errno == EPERM; }

}  // namespace

// Held before it is looked at, it is the same one.
std::optional<Process> ServerLock::Server() const {
  std::optional<Process> server = Process::Open(PidIn(path_));
  if (!ServerRuns()) server.reset();
  return server;
}

bool ServerLock::ServerRuns() const {
  const pid_t pid = PidIn(path_);
  if (pid == 0) return false;
  // Another process may have got the number; a server works in its data.
  std::error_code none;
  return fs::equivalent("/proc/" + std::to_string(pid) + "/cwd", data_, none);
}

std::string ServerLock::SocketDir() const {
  std::ifstream file(path_);
  std::string line;
  for (int i = 0; i < kSocketLine; ++i) std::getline(file, line);
  return file ? line : "";
}

bool ServerLock::BlocksStart() const {
  if (!fs::exists(path_) || ServerRuns()) return false;
  const pid_t pid = PidIn(path_);
  return pid == 0 || IsThere(pid);
}

}  // namespace baton
