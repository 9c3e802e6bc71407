#include "tests/server/raw_link.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "orchestrator/base/check.h"

namespace baton {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::chrono::seconds kHandshake{10};

}  // namespace

struct RawLink::Session {
  Session(int socket, const std::string& tls) : context(SSL_CTX_new(TLS_client_method())) {
    std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes to what may be closed
    CHECK(SSL_CTX_use_certificate_chain_file(context, (tls + "/cert.pem").c_str()) == 1);
    CHECK(SSL_CTX_use_PrivateKey_file(context, (tls + "/key.pem").c_str(), SSL_FILETYPE_PEM) == 1);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    ssl = SSL_new(context);
    constexpr unsigned char kHttp2[] = {2, 'h', '2'};
    CHECK(SSL_set_alpn_protos(ssl, kHttp2, sizeof(kHttp2)) == 0);
    SSL_set_fd(ssl, socket);
  }
  ~Session() {
    SSL_free(ssl);
    SSL_CTX_free(context);
  }
  // Whether it only has to wait.
  bool Waits(int result) const {
    const int why = SSL_get_error(ssl, result);
    return why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE;
  }
  SSL_CTX* context;
  SSL* ssl = nullptr;
};

int ConnectTo(const std::string& address) {
  const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  const std::size_t colon = address.rfind(':');
  to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1))));
  CHECK(inet_pton(AF_INET, address.substr(0, colon).c_str(), &to.sin_addr) == 1);
  CHECK(connect(connection, reinterpret_cast<sockaddr*>(&to), sizeof(to)) == 0);
  return connection;
}

RawLink::RawLink(const std::string& address, const std::string& tls) : socket_(ConnectTo(address)) {
  fcntl(socket_, F_SETFL, O_NONBLOCK);
  if (!tls.empty()) Shake(tls);
}

RawLink::~RawLink() {
  session_.reset();
  close(socket_);
}

void RawLink::Shake(const std::string& tls) {
  session_ = std::make_unique<Session>(socket_, tls);
  const auto until = Steady::now() + kHandshake;
  ERR_clear_error();  // what another connection of this thread has left would be taken for this one's
  for (int done = SSL_connect(session_->ssl); done != 1; done = SSL_connect(session_->ssl)) {
    open_ = session_->Waits(done) && Steady::now() < until;
    if (!open_) return;
    Wait(std::chrono::milliseconds(100), /*to_write=*/false);
  }
}

std::size_t RawLink::Send(const char* bytes, std::size_t count) {
  if (!open_) return 0;
  ERR_clear_error();
  const auto sent = session_ ? SSL_write(session_->ssl, bytes, static_cast<int>(count)) : send(socket_, bytes, count, MSG_NOSIGNAL);
  if (sent > 0) return static_cast<std::size_t>(sent);
  open_ = session_ ? session_->Waits(static_cast<int>(sent)) : errno == EAGAIN;
  return 0;
}

bool RawLink::Drain() {
  char unread[16384];
  while (open_) {
    ERR_clear_error();
    const auto got = session_ ? SSL_read(session_->ssl, unread, sizeof(unread)) : recv(socket_, unread, sizeof(unread), 0);
    if (got > 0) continue;
    open_ = session_ ? session_->Waits(static_cast<int>(got)) : got < 0 && errno == EAGAIN;
    return open_;
  }
  return false;
}

void RawLink::Wait(std::chrono::milliseconds timeout, bool to_write) const {
  pollfd wait{socket_, static_cast<short>(to_write ? POLLIN | POLLOUT : POLLIN), 0};
  (void)poll(&wait, 1, static_cast<int>(timeout.count()));
}

bool RawLink::IsClosedWithin(std::chrono::milliseconds timeout) {
  const auto until = Steady::now() + timeout;
  while (Drain()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Steady::now());
    if (left.count() <= 0) return false;
    Wait(left, /*to_write=*/false);
  }
  return true;
}

}  // namespace baton
