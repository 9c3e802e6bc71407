#include "tests/tools/http/raw_http.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace baton {

RawHttp::RawHttp(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const timeval patience{.tv_sec = 10, .tv_usec = 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) close(std::exchange(socket_, -1));
}

RawHttp::~RawHttp() {
  if (socket_ >= 0) close(socket_);
}

RawHttp::RawHttp(RawHttp&& other) noexcept : socket_(std::exchange(other.socket_, -1)), got_(std::move(other.got_)) {}

bool RawHttp::Send(const std::string& bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t n = send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  return true;
}

void RawHttp::SendNoMore() { shutdown(socket_, SHUT_WR); }

bool RawHttp::More() {
  char bytes[16384];
  const ssize_t n = recv(socket_, bytes, sizeof bytes, 0);
  if (n <= 0) return false;
  got_.append(bytes, static_cast<std::size_t>(n));
  return true;
}

RawAnswer RawHttp::Read() {
  std::size_t end = 0;
  while ((end = got_.find("\r\n\r\n")) == std::string::npos) {
    if (!More()) return {};
  }
  RawAnswer answer;
  std::istringstream head(got_.substr(0, end));
  got_.erase(0, end + 4);
  std::string line, version;
  std::getline(head, line);
  std::istringstream(line) >> version >> answer.status;
  while (std::getline(head, line)) {
    if (line.ends_with('\r')) line.pop_back();
    const std::size_t colon = line.find(':');
    std::string name = line.substr(0, colon);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    answer.headers[name] = line.substr(std::min(colon + 2, line.size()));
  }
  if (answer.headers["transfer-encoding"] == "chunked") {
    while (got_.find("0\r\n\r\n") == std::string::npos && More()) {
    }
    while (true) {
      const std::size_t size = std::stoul("0" + got_, nullptr, 16);
      const std::size_t at = got_.find("\r\n") + 2;
      answer.body += got_.substr(at, size);
      got_.erase(0, at + size + 2);
      if (size == 0) return answer;
    }
  }
  const std::size_t length =
      answer.headers.contains("content-length") ? std::stoul(answer.headers["content-length"]) : 0;
  while (got_.size() < length && More()) {
  }
  answer.body = got_.substr(0, length);
  got_.erase(0, length);
  return answer;
}

std::string RawHttp::ReadUntil(const std::string& text) {
  while ((text.empty() || got_.find(text) == std::string::npos) && More()) {
  }
  return got_;
}

bool RawHttp::Ended() {
  while (More()) {
  }
  char byte = 0;
  return recv(socket_, &byte, 1, MSG_DONTWAIT) == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
}

int RawHttp::Release() { return std::exchange(socket_, -1); }

void RawHttp::Drop() {
  const linger now{.l_onoff = 1, .l_linger = 0};
  setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  close(std::exchange(socket_, -1));
}

std::string GetText(const std::string& path, const std::string& more) {
  return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + more + "\r\n";
}

std::string PostText(const std::string& path, const std::string& body, const std::string& more) {
  return "POST " + path +
         " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nBaton-Page: 1\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n" + more + "\r\n" + body;
}

}  // namespace baton
