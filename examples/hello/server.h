// Accepts connections until it is told to drain, and crashes if it was asked to.
#pragma once

#include <set>

#include "examples/hello/answer.h"
#include "examples/hello/asio.h"
#include "examples/hello/connection.h"

namespace baton::examples {

class Server {
 public:
  // Listens at once; throws boost::system::system_error if it cannot.
  Server(asio::io_context& io, HelloOptions options);

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  std::uint64_t answered() const { return state_.answered; }

  // Takes what waits to be accepted, then no more; the io_context runs out of work when the last request is answered.
  void Drain();

 private:
  void Accept();
  void Serve(tcp::socket socket);
  void BecomeReady();
  void CrashLater();

  asio::io_context& io_;
  HelloState state_;
  tcp::acceptor acceptor_;
  asio::steady_timer ready_timer_;
  asio::steady_timer crash_timer_;
  asio::steady_timer accept_again_timer_;
  std::set<Connection*> connections_;
};

}  // namespace baton::examples
