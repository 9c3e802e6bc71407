// baton-web, put together: what answers which path.
#pragma once

#include <memory>
#include <string>

#include "orchestrator/base/result.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "tools/http/server.h"
#include "tools/web/assets.h"
#include "tools/web/calls/gateway.h"
#include "tools/web/calls/leader_calls.h"
#include "tools/web/calls/methods.h"
#include "tools/web/live/live_hub.h"
#include "tools/web/options.h"
#include "tools/web/who/gate.h"

namespace baton::web {

class Web {
 public:
  // `credentials` null: without TLS to batond. Loop, log and metrics outlive it.
  Web(boost::asio::io_context& loop, const WebOptions& options, Methods methods, ClientCredentials credentials,
      Log& log, Metrics& metrics);

  // Listens. INVALID_ARGUMENT, FAILED_PRECONDITION with a sentence for the user.
  Status Start();
  void Stop();
  int port() const { return server_.port(); }

 private:
  void Handle(const http::ExchangePtr& exchange, http::Request request);
  void Api(const http::ExchangePtr& exchange, const http::Request& request, const Person& person);
  http::Response Me(const Person& person) const;
  void Count();

  WebOptions options_;
  Methods methods_;
  LeaderCalls calls_;
  Log& log_;
  Metrics& metrics_;
  bool certificate_;
  Assets assets_;
  Gate gate_;
  Gateway gateway_;
  LiveHub hub_;
  http::Server server_;
  boost::asio::steady_timer count_;
};

// A sentence for the user, or nothing: options that do not go together.
std::string FaultIn(const WebOptions& options);

}  // namespace baton::web
