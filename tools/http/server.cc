#include "tools/http/server.h"

#include <sys/stat.h>
#include <unistd.h>

#include <charconv>

namespace baton::http {
namespace {

using Tcp = boost::asio::ip::tcp;
using Unix = boost::asio::local::stream_protocol;
using ListenFault = boost::system::error_code;

constexpr std::chrono::seconds kLookAtFiles(5);
constexpr std::chrono::milliseconds kAfterAFault(100);

Error CannotListen(const std::string& where, const ListenFault& fault) {
  return FailedPrecondition("nothing can listen at " + where + ": " + fault.message());
}

}  // namespace

Server::Server(boost::asio::io_context& loop, Limits limits, Handler handler)
    : loop_(loop), shared_(std::make_shared<Shared>(Shared{.limits = limits, .handler = std::move(handler)})),
      acceptor_(loop), unix_acceptor_(loop), look_(loop), again_(loop), unix_again_(loop) {}

Server::~Server() { Stop(); }

Status Server::Listen(const std::string& address, std::shared_ptr<TlsFiles> tls) {
  const std::size_t colon = address.rfind(':');
  int port = -1;
  if (colon != std::string::npos) std::from_chars(address.data() + colon + 1, address.data() + address.size(), port);
  std::string host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  ListenFault fault;
  const auto ip = boost::asio::ip::make_address(host, fault);
  if (fault || port < 0 || port > 65535)
    return InvalidArgument(address + " is no ADDRESS:PORT, such as 127.0.0.1:8892");
  const Tcp::endpoint endpoint(ip, static_cast<unsigned short>(port));
  acceptor_.open(endpoint.protocol(), fault);
  if (!fault) acceptor_.set_option(Tcp::acceptor::reuse_address(true), fault);
  if (!fault) acceptor_.bind(endpoint, fault);
  if (!fault) acceptor_.listen(Tcp::acceptor::max_listen_connections, fault);
  if (fault) return CannotListen(address, fault);
  port_ = acceptor_.local_endpoint().port();
  tls_ = std::move(tls);
  if (tls_) LookAtFiles();
  Accept();
  return Done{};
}

Status Server::ListenUnix(const std::string& path) {
  ListenFault fault;
  {
    Unix::socket probe(loop_);
    probe.connect(Unix::endpoint(path), fault);
    if (!fault) return FailedPrecondition("somebody listens on " + path + " already");
  }
  struct stat there {};
  if (lstat(path.c_str(), &there) == 0 && !S_ISSOCK(there.st_mode))
    return FailedPrecondition(path + " is there and is no socket");
  unlink(path.c_str());
  const mode_t mask = umask(0117);
  unix_acceptor_.open(Unix(), fault);
  if (!fault) unix_acceptor_.bind(Unix::endpoint(path), fault);
  umask(mask);
  if (!fault) unix_acceptor_.listen(Unix::acceptor::max_listen_connections, fault);
  if (fault) return CannotListen(path, fault);
  AcceptUnix();
  return Done{};
}

void Server::Stop() {
  if (std::exchange(stopped_, true)) return;
  ListenFault ignored;
  acceptor_.close(ignored);
  unix_acceptor_.close(ignored);
  look_.cancel();
  again_.cancel();
  unix_again_.cancel();
  for (const std::weak_ptr<Live>& weak : std::exchange(live_, {})) {
    if (const auto live = weak.lock()) live->Close();
  }
}

void Server::Accept() {
  acceptor_.async_accept([this](const ListenFault& fault, Tcp::socket socket) {
    if (stopped_ || fault == boost::asio::error::operation_aborted) return;
    if (fault) return Later(again_, [this] { Accept(); });
    ListenFault ignored;
    Peer peer{.address = socket.remote_endpoint(ignored).address().to_string(), .tls = tls_ != nullptr};
    socket.set_option(Tcp::no_delay(true), ignored);
    Take(Socket(std::move(socket)), std::move(peer), tls_ ? tls_->context() : nullptr);
    Accept();
  });
}

void Server::AcceptUnix() {
  unix_acceptor_.async_accept([this](const ListenFault& fault, Unix::socket socket) {
    if (stopped_ || fault == boost::asio::error::operation_aborted) return;
    if (fault) return Later(unix_again_, [this] { AcceptUnix(); });
    Take(Socket(std::move(socket)), Peer{.unix_socket = true}, nullptr);
    AcceptUnix();
  });
}

void Server::Take(Socket socket, Peer peer, const std::shared_ptr<TlsContext>& tls) {
  if (shared_->open >= shared_->limits.connections) return;  // closed
  live_.push_back(Serve(std::move(socket), std::move(peer), shared_, tls));
  if (live_.size() < sweep_at_) return;
  std::erase_if(live_, [](const std::weak_ptr<Live>& weak) { return weak.expired(); });
  sweep_at_ = 2 * live_.size() + 64;
}

// No descriptor is left, for example: whoever waits is taken up when there is one again.
template <class Again>
void Server::Later(boost::asio::steady_timer& timer, Again again) {
  timer.expires_after(kAfterAFault);
  timer.async_wait([again](const ListenFault& fault) {
    if (!fault) again();
  });
}

void Server::LookAtFiles() {
  look_.expires_after(kLookAtFiles);
  look_.async_wait([this](const ListenFault& fault) {
    if (fault) return;
    tls_->Refresh();
    LookAtFiles();
  });
}

}  // namespace baton::http
