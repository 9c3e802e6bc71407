// Ends connections that take more than their share (bounds/connection_book.h). It looks on a thread of its own: while gRPC 1.51 reads
// what one caller sends faster than it can let go of it, no handler and no interceptor is asked.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/access/identity.h"
#include "orchestrator/base/ticker.h"
#include "orchestrator/bounds/connection_book.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"

namespace baton {

class ConnectionGuard {
 public:
  // The identity in this certificate, PEM; nothing: not of this trust domain.
  using WhoIs = std::function<std::optional<Identity>(const std::string& certificate)>;

  // Of the server of this process on `port`. `log` and `metrics` outlive it.
  ConnectionGuard(int port, const bounds::ConnectionLimits& most, WhoIs who_is, Log& log, Metrics& metrics);

 private:
  using Steady = std::chrono::steady_clock;
  void Look(Steady::time_point now);
  void LookAtAll(Steady::time_point now, bool at_calls);
  // Those that have ended are forgotten. `accepted`: peers whose connection is open.
  std::vector<bounds::KnownConnection> Known(Steady::time_point now, bool at_calls,
                                             const std::vector<std::string>& accepted,
                                             std::vector<bounds::CutOff>& floods);
  bounds::KnownConnection Named(const bounds::Connection& connection, const bounds::ConnectionState& state) const;
  void Cut(const bounds::CutOff& cut);

  bounds::Connections connections_;
  bounds::ConnectionBook book_;
  const WhoIs who_is_;
  Log& log_;
  Metrics& metrics_;
  std::map<std::int64_t, bounds::KnownConnection> known_;
  std::set<std::string> cut_;  // peers, until they are gone
  std::int64_t held_by_ended_ = 0;  // calls of connections that have ended, at the last look at calls
  bounds::Connections::Calls before_;  // of all, at the last look at calls
  std::int64_t started_ = 0;
  bool quiet_ = true;
  Steady::time_point listed_, alarmed_;
  Ticker ticker_;
};

}  // namespace baton
