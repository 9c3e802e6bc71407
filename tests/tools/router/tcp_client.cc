#include "tests/tools/router/tcp_client.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

namespace baton::router {

TcpClient::TcpClient(int port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval limit{.tv_sec = 10, .tv_usec = 0};
  setsockopt(fd_.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  if (connect(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) Close();
}

std::string TcpClient::ReadLine() {
  std::string line;
  for (char c = 0; fd_.valid() && recv(fd_.get(), &c, 1, 0) == 1;) {
    if (c == '\n') return line;
    line += c;
  }
  Close();
  return "";
}

bool TcpClient::Echoes(const std::string& text) {
  const std::string line = text + "\n";
  return fd_.valid() && send(fd_.get(), line.data(), line.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(line.size()) &&
         ReadLine() == text;
}

std::string WhoAnswers(int port) { return TcpClient(port).ReadLine(); }

}  // namespace baton::router
