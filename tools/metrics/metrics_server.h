// Answers whoever fetches metrics by HTTP, on a thread of its own. One that asks slowly, or for nothing, is in nobody's
// way.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "orchestrator/base/result.h"
#include "tools/http/server.h"

namespace baton {

class MetricsServer {
 public:
  // `text`: what GET /metrics gives, in Prometheus' text format; asked on the thread, once a request.
  explicit MetricsServer(std::function<std::string()> text);
  // At once: `text` is not asked any more when this returns, and who is connected is cut off.
  ~MetricsServer();
  MetricsServer(const MetricsServer&) = delete;
  MetricsServer& operator=(const MetricsServer&) = delete;

  // Once. `address`: HOST:PORT on loopback; port 0: any free one. FAILED_PRECONDITION where nothing can listen there.
  Status Listen(const std::string& address);
  // Of Listen.
  int port() const { return server_.port(); }

 private:
  boost::asio::io_context loop_{1};
  http::Server server_;
  std::jthread thread_;  // the last: it uses the others, and is joined before they end
};

}  // namespace baton
