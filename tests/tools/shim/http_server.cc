#include "tests/tools/shim/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "orchestrator/base/check.h"

namespace baton::testing {
namespace {

// /proc/net/tcp has addresses as the machine keeps them in memory, ports in host order, and who owns the socket.
// As /proc/net/tcp has it.
std::string EndOf(const sockaddr_in& end) {
  char text[16];
  std::snprintf(text, sizeof text, "%08X:%04X", end.sin_addr.s_addr, ntohs(end.sin_port));
  return text;
}

long UidOfPeer(int connection) {
  sockaddr_in peer{};
  socklen_t size = sizeof peer;
  if (getpeername(connection, reinterpret_cast<sockaddr*>(&peer), &size) != 0) return -1;
  sockaddr_in here{};
  size = sizeof here;
  if (getsockname(connection, reinterpret_cast<sockaddr*>(&here), &size) != 0) return -1;
  // Both ends: a port may be that of an ended connection to elsewhere, too, whose row is of root.
  const std::string local = EndOf(peer), remote = EndOf(here);
  std::ifstream table("/proc/net/tcp");
  for (std::string line; std::getline(table, line);) {
    std::istringstream fields(line);
    std::string entry, from, to, state, queues, timer, retransmits;
    long uid = -1;
    if (fields >> entry >> from >> to >> state >> queues >> timer >> retransmits >> uid && from == local &&
        to == remote)
      return uid;
  }
  return -1;
}

}  // namespace

HttpServer::HttpServer(const std::string& at)
    : address_(at), listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  CHECK(inet_pton(AF_INET, address_.c_str(), &address.sin_addr) == 1);
  CHECK(bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  CHECK(listen(listener_.get(), 64) == 0);
  socklen_t size = sizeof address;
  CHECK(getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { Serve(); });
}

HttpServer::~HttpServer() {
  shutdown(listener_.get(), SHUT_RDWR);
  thread_.join();
}

void HttpServer::Put(const std::string& path, const std::string& body, int status) {
  const std::lock_guard lock(mutex_);
  answers_[path] = {body, status};
}

void HttpServer::PutOfUnknownLength(const std::string& path, const std::string& body) {
  const std::lock_guard lock(mutex_);
  answers_[path] = {body, 200, "X-Length: unknown"};
}

void HttpServer::Redirect(const std::string& path, const std::string& to) {
  const std::lock_guard lock(mutex_);
  answers_[path] = {"", 302, "Location: " + to};
}

std::string HttpServer::Url(const std::string& path) const {
  return "http://" + address_ + ":" + std::to_string(port_) + path;
}

void HttpServer::Serve() {
  for (;;) {
    const UniqueFd connection(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection.valid()) return;
    AnswerOne(connection.get());
  }
}

void HttpServer::AnswerOne(int connection) {
  std::string request;
  char piece[4096];
  while (request.find("\r\n\r\n") == std::string::npos) {
    const ssize_t count = recv(connection, piece, sizeof piece, 0);
    if (count <= 0) return;
    request.append(piece, static_cast<std::size_t>(count));
  }
  ++requests_;
  last_uid_ = UidOfPeer(connection);
  const std::size_t from = request.find(' ') + 1;
  const std::string path = request.substr(from, request.find(' ', from) - from);
  Answer answer{"not here", 404};
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = answers_.find(path); found != answers_.end()) answer = found->second;
  }
  const std::string header =
      answer.header.empty() ? "Content-Length: " + std::to_string(answer.body.size()) : answer.header;
  const std::string reply = "HTTP/1.1 " + std::to_string(answer.status) +
                            " X\r\nConnection: close\r\n" + header + "\r\n\r\n" +
                            answer.body;
  std::size_t sent = 0;
  while (sent < reply.size()) {
    const ssize_t count = send(connection, reply.data() + sent, reply.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return;
    sent += static_cast<std::size_t>(count);
  }
}

}  // namespace baton::testing
