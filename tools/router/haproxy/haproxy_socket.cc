#include "tools/router/haproxy/haproxy_socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "orchestrator/base/unique_fd.h"

namespace baton::router {
namespace {

using Clock = std::chrono::steady_clock;

// HAProxy answers in well under a millisecond a command; 1,000 servers in some tens.
constexpr std::chrono::seconds kDeadline{3};
// One line a connection. HAProxy takes longer ones (36 kB measured); this bounds what is unknown if one is lost.
constexpr std::size_t kLineMax = 12000;

Error Unavailable(const std::string& path, const std::string& what) {
  return Error{ErrorKind::kUnavailable, path + ": " + what};
}

// False at the deadline.
bool WaitFor(int fd, short events, Clock::time_point deadline) {
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd wanted{.fd = fd, .events = events, .revents = 0};
    const int ready = poll(&wanted, 1, static_cast<int>(left));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

Result<UniqueFd> Connect(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) return Unavailable(path, "is too long for a socket's path");
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) return Unavailable(path, std::strerror(errno));
  if (connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    return Unavailable(path, std::strerror(errno));  // EAGAIN too: its backlog is full, so it does not answer
  }
  return fd;
}

Status SendAll(int fd, const std::string& path, std::string_view text, Clock::time_point deadline) {
  while (!text.empty()) {
    const ssize_t sent = send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      text.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      if (!WaitFor(fd, POLLOUT, deadline)) return Unavailable(path, "took no command within the deadline");
    } else if (errno != EINTR) {
      return Unavailable(path, std::strerror(errno));
    }
  }
  return Done{};
}

Result<std::string> ReceiveAll(int fd, const std::string& path, Clock::time_point deadline) {
  std::string text;
  std::array<char, 65536> chunk;
  while (true) {
    const ssize_t received = recv(fd, chunk.data(), chunk.size(), 0);
    if (received > 0) {
      text.append(chunk.data(), static_cast<std::size_t>(received));
    } else if (received == 0) {
      return text;
    } else if (errno == EAGAIN) {
      if (!WaitFor(fd, POLLIN, deadline)) return Unavailable(path, "gave no whole answer within the deadline");
    } else if (errno != EINTR) {
      return Unavailable(path, std::strerror(errno));
    }
  }
}

}  // namespace

std::vector<std::string> SplitAnswers(const std::string& text) {
  std::vector<std::string> answers;
  std::string answer;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end == at) {
      answers.push_back(std::move(answer));
      answer.clear();
    } else {
      if (!answer.empty()) answer += '\n';
      answer.append(text, at, end - at);
    }
    at = end + 1;
  }
  if (!answer.empty()) answers.push_back(std::move(answer));  // the master's own refusals end without an empty line
  return answers;
}

HaproxySocket::HaproxySocket(std::string path, int worker_pid)
    : path_(std::move(path)), prefix_(worker_pid == 0 ? "" : "@!" + std::to_string(worker_pid) + ";") {}

Result<std::string> HaproxySocket::Exchange(const std::string& line) const {
  const Clock::time_point deadline = Clock::now() + kDeadline;
  Result<UniqueFd> fd = Connect(path_);
  if (!fd) return fd.error();
  if (const Status sent = SendAll(fd->get(), path_, line + "\n", deadline); !sent) return sent.error();
  shutdown(fd->get(), SHUT_WR);  // the master's socket stays open for more commands otherwise
  return ReceiveAll(fd->get(), path_, deadline);
}

Result<std::vector<std::string>> HaproxySocket::Run(const std::vector<std::string>& commands) const {
  std::vector<std::string> answers;
  std::size_t next = 0;
  while (next < commands.size()) {
    std::string line = prefix_;
    std::size_t count = 0;
    while (next < commands.size() && (count == 0 || line.size() + commands[next].size() < kLineMax)) {
      if (count > 0) line += ';';
      line += commands[next++];
      ++count;
    }
    const Result<std::string> text = Exchange(line);
    if (!text) return text.error();
    std::vector<std::string> part = SplitAnswers(*text);
    if (!part.empty() && SaysNoSuchWorker(part[0])) return Error{ErrorKind::kNotFound, part[0]};
    if (part.size() != count) {
      return Unavailable(path_,
                         "answered " + std::to_string(part.size()) + " of " + std::to_string(count) + " commands");
    }
    answers.insert(answers.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
  }
  return answers;
}

bool Accepted(const std::string& command, const std::string& answer) {
  if (command.starts_with("add server ")) return answer.ends_with("New server registered.");
  if (command.starts_with("del server ")) return answer == "Server deleted.";
  if (command.starts_with("set server ") && command.find(" addr ") != std::string::npos) {
    return answer.find(" by 'stats socket command'") != std::string::npos;
  }
  return answer.empty();
}

bool SaysNoSuchWorker(const std::string& answer) { return answer.starts_with("Can't find the target"); }

}  // namespace baton::router
