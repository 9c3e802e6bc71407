#include "tests/tools/router/http_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sstream>

namespace baton::router {
namespace {

UniqueFd Connect(int port) {
  UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int on = 1;
  setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  const timeval limit{.tv_sec = 20, .tv_usec = 0};
  setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  if (connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) return UniqueFd();
  return fd;
}

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

void ParseHead(const std::string& head, HttpAnswer& answer) {
  std::istringstream lines(head);
  std::string line;
  std::getline(lines, line);
  if (line.size() > 12) answer.status = std::atoi(line.c_str() + 9);
  while (std::getline(lines, line)) {
    if (line.ends_with('\r')) line.pop_back();
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) answer.headers[Lower(line.substr(0, colon))] = line.substr(colon + 2);
  }
}

}  // namespace

std::string HttpAnswer::Header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

std::string HttpClient::Send(const std::string& host, const std::string& path, const std::string& more_headers) {
  if (!fd_.valid()) fd_ = Connect(port_);
  if (!fd_.valid()) return std::string("connect: ") + std::strerror(errno);
  const std::string request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + more_headers + "\r\n";
  if (send(fd_.get(), request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size())) {
    Close();
    return std::string("send: ") + std::strerror(errno);
  }
  return "";
}

HttpAnswer HttpClient::Receive() {
  HttpAnswer answer;
  std::string text;
  std::array<char, 16384> chunk;
  std::size_t head_end = std::string::npos;
  std::size_t length = 0;
  while (head_end == std::string::npos || text.size() < head_end + 4 + length) {
    const ssize_t received = recv(fd_.get(), chunk.data(), chunk.size(), 0);
    if (received <= 0) {
      const std::string why = received == 0 ? "closed" : std::strerror(errno);
      Close();
      return HttpAnswer{.status = 0, .error = "recv after " + std::to_string(text.size()) + " bytes: " + why};
    }
    text.append(chunk.data(), static_cast<std::size_t>(received));
    if (head_end != std::string::npos) continue;
    head_end = text.find("\r\n\r\n");
    if (head_end == std::string::npos) continue;
    ParseHead(text.substr(0, head_end), answer);
    length = static_cast<std::size_t>(std::atol(answer.Header("content-length").c_str()));
  }
  answer.body = text.substr(head_end + 4, length);
  if (Lower(answer.Header("connection")) == "close") Close();
  return answer;
}

HttpAnswer HttpClient::Get(const std::string& host, const std::string& path, const std::string& more_headers) {
  if (const std::string failed = Send(host, path, more_headers); !failed.empty()) {
    return HttpAnswer{.status = 0, .error = failed};
  }
  return Receive();
}

HttpAnswer GetOnce(int port, const std::string& host, const std::string& path) {
  return HttpClient(port).Get(host, path);
}

}  // namespace baton::router
