#include "tests/tools/router/http_instance.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <cstdlib>

namespace baton::router {
namespace {

bool SendAll(int fd, const std::string& text) {
  return send(fd, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
}

void Echo(int fd) {
  std::array<char, 4096> chunk;
  while (true) {
    const ssize_t received = recv(fd, chunk.data(), chunk.size(), 0);
    if (received <= 0) return;
    if (!SendAll(fd, std::string(chunk.data(), static_cast<std::size_t>(received)))) return;
  }
}

}  // namespace

HttpInstance::HttpInstance(std::string name)
    : name_(std::move(name)), listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  if (bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener_.get(), 1024) != 0 ||
      getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    std::abort();
  }
  port_ = ntohs(address.sin_port);
  accepting_ = std::thread([this] { Accept(); });
}

void HttpInstance::Stop() {
  if (stopping_.exchange(true)) return;
  shutdown(listener_.get(), SHUT_RDWR);
  accepting_.join();
  listener_ = UniqueFd();
  {
    const std::lock_guard lock(mutex_);
    for (const UniqueFd& connection : connections_) shutdown(connection.get(), SHUT_RDWR);
  }
  for (std::thread& thread : threads_) thread.join();
}

void HttpInstance::Accept() {
  while (!stopping_) {
    const int fd = accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) continue;
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    const std::lock_guard lock(mutex_);
    connections_.emplace_back(fd);
    threads_.emplace_back([this, fd] { Serve(fd); });
  }
}

void HttpInstance::Serve(int fd) {
  std::string text;
  std::array<char, 4096> chunk;
  while (true) {
    const std::size_t end = text.find("\r\n\r\n");
    if (end != std::string::npos) {
      const std::string head = text.substr(0, end);
      text.erase(0, end + 4);
      if (!Answer(fd, head)) break;
      continue;
    }
    const ssize_t received = recv(fd, chunk.data(), chunk.size(), 0);
    if (received <= 0) break;
    text.append(chunk.data(), static_cast<std::size_t>(received));
  }
  shutdown(fd, SHUT_RDWR);
}

bool HttpInstance::Answer(int fd, const std::string& head) {
  ++requests_;
  ++running_;
  if (head.find("Upgrade: echo") != std::string::npos) {
    SendAll(fd, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
    Echo(fd);
    --running_;
    return false;
  }
  constexpr std::string_view kSlow = "GET /slow/";
  if (head.starts_with(kSlow)) {
    // A slow request is the condition here, not a wait for one; a stopped instance does not finish it.
    const auto until =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(std::atoi(head.c_str() + kSlow.size()));
    while (std::chrono::steady_clock::now() < until && !stopping_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  const std::string body = head.starts_with("GET /headers") ? head : name_;
  const bool sent = !stopping_ && SendAll(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
                                                  std::to_string(body.size()) + "\r\n\r\n" + body);
  --running_;
  return sent;
}

}  // namespace baton::router
