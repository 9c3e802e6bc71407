// A service manager's socket, as systemd gives one to a service of Type=notify: what was told stands in it, in its
// order.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <string>

#include "orchestrator/base/check.h"
#include "orchestrator/base/unique_fd.h"

namespace baton {

class NotifySocket {
 public:
  explicit NotifySocket(std::string path) : path_(std::move(path)), fd_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    CHECK(path_.size() < sizeof at.sun_path);
    std::strncpy(at.sun_path, path_.c_str(), sizeof at.sun_path - 1);
    CHECK(bind(fd_.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0);
  }
  ~NotifySocket() { std::filesystem::remove(path_); }
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;

  const std::string& path() const { return path_; }
  // Empty: nothing was told for so long.
  std::string Next(std::chrono::milliseconds patience) {
    pollfd look{.fd = fd_.get(), .events = POLLIN, .revents = 0};
    if (poll(&look, 1, static_cast<int>(patience.count())) != 1) return "";
    char text[4096];
    const ssize_t length = recv(fd_.get(), text, sizeof text, 0);
    return length < 0 ? "" : std::string(text, static_cast<std::size_t>(length));
  }

 private:
  std::string path_;
  UniqueFd fd_;
};

}  // namespace baton
