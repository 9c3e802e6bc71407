// Listens, and takes up who connects. All of it is done by one thread, the one that runs the loop.
#pragma once

#include <boost/asio/local/stream_protocol.hpp>
#include <memory>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "tools/http/asio.h"
#include "tools/http/connection.h"
#include "tools/http/limits.h"
#include "tools/http/tls_files.h"

namespace baton::http {

class Server {
 public:
  // The loop outlives it. `handler` is called for each request, on the loop.
  Server(boost::asio::io_context& loop, Limits limits, Handler handler);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // At HOST:PORT; port 0: any free one. `tls` null: without. INVALID_ARGUMENT where it is no address,
  // FAILED_PRECONDITION where nobody can listen there.
  Status Listen(const std::string& address, std::shared_ptr<TlsFiles> tls);
  // On a Unix socket, mode 0660, in place of one that nobody listens on any more.
  Status ListenUnix(const std::string& path);
  // Takes nobody up any more, and cuts who is there.
  void Stop();

  // Of Listen.
  int port() const { return port_; }
  std::size_t connections() const { return shared_->open; }

 private:
  void Accept();
  void AcceptUnix();
  void LookAtFiles();
  void Take(Socket socket, Peer peer, const std::shared_ptr<TlsContext>& tls);
  template <class Again>
  static void Later(boost::asio::steady_timer& timer, Again again);

  boost::asio::io_context& loop_;
  std::shared_ptr<Shared> shared_;
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::local::stream_protocol::acceptor unix_acceptor_;
  boost::asio::steady_timer look_;
  boost::asio::steady_timer again_;
  boost::asio::steady_timer unix_again_;
  std::shared_ptr<TlsFiles> tls_;
  std::vector<std::weak_ptr<Live>> live_;
  std::size_t sweep_at_ = 64;
  int port_ = 0;
  bool stopped_ = false;
};

}  // namespace baton::http
