// The router's connection to batond: keeps the received routing table, reconnects for ever, and refuses a deposed
// leader. It reports to batond what the router says is in force in HAProxy.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/ports/log.h"
#include "tools/client/channel.h"
#include "tools/client/leader_search.h"
#include "tools/router/haproxy/load_meter.h"
#include "tools/router/link/mailbox.h"
#include "tools/router/link/routes_stream.h"
#include "tools/router/link/routes_wire.h"
#include "tools/router/routes/route_table.h"

namespace baton::router {

// Who this router is to batond.
struct RouteConsumer {
  std::string id;
  std::vector<std::string> batond;  // addresses
  ClientCredentials credentials;
  std::string router_group;         // see EndpointsOf
};

class RoutesLink {
 public:
  using Time = std::chrono::steady_clock::time_point;

  RoutesLink(RouteConsumer consumer, Mailbox& mailbox, Log& log);

  // What a step brought.
  struct News {
    bool table = false;   // it changed
    bool stream = false;  // a new stream has begun: report everything again
  };
  // Takes in what came, connects and sends heartbeats when they are due.
  News Step(Time now);
  Time NextWake() const;

  // A leader has told its table on a stream that is there still.
  bool connected() const { return stream_ && !closing_ && snapshot_seen_; }
  // The table as last told; nothing before the first snapshot. It stays when the stream is lost.
  const std::optional<RouteTable>& table() const { return table_; }

  // Each is dropped without a stream: the next one starts with a full snapshot.
  bool SayApplied(Time now);  // the table's revision is in force; false: nothing to report, or no stream
  void SayDrained(const std::vector<std::string>& actual_ids, Time now);
  void SayLoad(const std::vector<InstanceLoad>& loads, Time now);

  // Connects no more, and ends the stream when what was said has gone out.
  void Leave(bool goodbye, Time now);
  bool Left(Time now) const;

 private:
  void Connect(Time now);
  void OnMessage(const v2::RouteMessage& message, Time now, News& news);
  void OnSnapshot(const v2::RouteSnapshot& snapshot, Time now, News& news);
  void OnChange(const v2::RouteChange& change, News& news);
  void OnEnd(const StreamEnded& end, Time now);
  void EndStream(const std::string& why);
  void Say(v2::RouteConsumerMessage message, Time now);
  void LogRefused(const std::vector<RefusedRoute>& refused) const;

  RouteConsumer consumer_;
  LeaderSearch search_;
  Mailbox& mailbox_;
  Log& log_;

  std::map<std::string, std::shared_ptr<grpc::Channel>> channels_;  // made when first needed
  std::unique_ptr<RoutesStream> stream_;
  std::uint64_t streams_ = 0;
  bool snapshot_seen_ = false;  // on this stream
  bool closing_ = false;        // told to end; what still comes is not looked at
  bool leaving_ = false;
  std::optional<RouteTable> table_;
  std::int64_t epoch_max_ = 0;
  std::optional<RouteRevisionId> said_;  // on this stream
  Time connect_at_{};
  Time snapshot_due_{};
  Time heartbeat_at_{};
  Time leave_by_{};
  std::chrono::milliseconds heartbeat_every_{1000};
};

}  // namespace baton::router
