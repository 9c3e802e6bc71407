#include "tests/tools/router/tcp_instance.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstdlib>

namespace baton::router {

TcpInstance::TcpInstance(std::string name)
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

TcpInstance::~TcpInstance() {
  stopping_ = true;
  shutdown(listener_.get(), SHUT_RDWR);
  accepting_.join();
  for (const UniqueFd& connection : connections_) shutdown(connection.get(), SHUT_RDWR);
  for (std::thread& thread : threads_) thread.join();
}

void TcpInstance::Accept() {
  while (!stopping_) {
    const int fd = accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) continue;
    const std::lock_guard lock(mutex_);
    connections_.emplace_back(fd);
    threads_.emplace_back([this, fd] { Serve(fd); });
  }
}

void TcpInstance::Serve(int fd) const {
  std::string text = name_ + "\n";
  std::array<char, 4096> chunk;
  while (send(fd, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size())) {
    const ssize_t received = recv(fd, chunk.data(), chunk.size(), 0);
    if (received <= 0) break;
    text.assign(chunk.data(), static_cast<std::size_t>(received));
  }
  shutdown(fd, SHUT_RDWR);
}

}  // namespace baton::router
