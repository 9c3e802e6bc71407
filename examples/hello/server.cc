#include "examples/hello/server.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace baton::examples {

Server::Server(asio::io_context& io, HelloOptions options)
    : io_(io), state_{.options = std::move(options)},
      acceptor_(io, {asio::ip::make_address(state_.options.bind), state_.options.port}), ready_timer_(io),
      crash_timer_(io), accept_again_timer_(io) {
  BecomeReady();
  CrashLater();
  Accept();
}

void Server::Accept() {
  acceptor_.async_accept([this](error_code error, tcp::socket socket) {
    if (!acceptor_.is_open()) return;
    if (!error) {
      Serve(std::move(socket));
      return Accept();
    }
    // Most likely there are no file descriptors left; they come back when clients go.
    accept_again_timer_.expires_after(std::chrono::milliseconds(100));
    accept_again_timer_.async_wait([this](error_code cancelled) {
      if (!cancelled) Accept();
    });
  });
}

void Server::Serve(tcp::socket socket) {
  error_code ignored;  // without it answers only come a little later
  socket.set_option(tcp::no_delay(true), ignored);
  auto connection =
      std::make_shared<Connection>(std::move(socket), state_, [this](Connection* ended) { connections_.erase(ended); });
  connections_.insert(connection.get());
  connection->Start();
}

void Server::BecomeReady() {
  if (state_.options.never_ready) return;
  state_.ready = state_.options.start_delay.count() == 0;
  if (state_.ready) return;
  ready_timer_.expires_after(state_.options.start_delay);
  ready_timer_.async_wait([this](error_code cancelled) { state_.ready = !cancelled; });
}

void Server::CrashLater() {
  if (!state_.options.crash_after) return;
  crash_timer_.expires_after(*state_.options.crash_after);
  crash_timer_.async_wait([this](error_code cancelled) {
    if (cancelled) return;
    std::printf("crashing as asked after %lld ms with exit code %d\n",
                static_cast<long long>(state_.options.crash_after->count()), state_.options.crash_code);
    std::fflush(stdout);
    std::_Exit(state_.options.crash_code);  // as a crash: no goodbye to anybody
  });
}

void Server::Drain() {
  error_code error;
  acceptor_.cancel(error);
  acceptor_.non_blocking(true, error);
  while (!error) {  // these clients believe that they are connected
    tcp::socket socket(io_);
    acceptor_.accept(socket, error);
    if (!error) Serve(std::move(socket));
  }
  acceptor_.close(error);
  accept_again_timer_.cancel();
  ready_timer_.cancel();
  crash_timer_.cancel();
  // What is drained may end and leave the set meanwhile.
  const std::vector<Connection*> connections(connections_.begin(), connections_.end());
  for (Connection* connection : connections) connection->Drain();
}

}  // namespace baton::examples
