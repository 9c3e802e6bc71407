// A client's connection: requests one after the other, each with its answer.
#pragma once

#include <boost/asio/generic/stream_protocol.hpp>
#include <functional>
#include <memory>

#include "tools/http/asio.h"
#include "tools/http/exchange.h"
#include "tools/http/limits.h"
#include "tools/http/tls_files.h"

namespace baton::http {

using Handler = std::function<void(ExchangePtr, Request)>;
// TCP and Unix sockets alike.
using Socket = boost::asio::generic::stream_protocol::socket;

// What a connection has in common with all others of its server, and outlives it.
struct Shared {
  Limits limits;
  Handler handler;
  std::size_t open = 0;  // connections
};

// What the server keeps of a connection.
class Live {
 public:
  virtual ~Live() = default;
  virtual void Close() = 0;
};

// Takes up a connection: it lives until the client or the server ends it. `tls` null: without.
std::weak_ptr<Live> Serve(Socket socket, Peer peer, std::shared_ptr<Shared> shared,
                          const std::shared_ptr<TlsContext>& tls);

}  // namespace baton::http
