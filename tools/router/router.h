// The program: one loop that keeps HAProxy up to date with batond's routing table, and reports what is in force there.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "tools/client/backoff.h"
#include "tools/client/channel.h"
#include "tools/router/haproxy/drain_times.h"
#include "tools/router/haproxy/drain_watch.h"
#include "tools/router/haproxy/haproxy_supervisor.h"
#include "tools/router/haproxy/leftover_watch.h"
#include "tools/router/haproxy/load_meter.h"
#include "tools/router/haproxy/proxy.h"
#include "tools/router/link/mailbox.h"
#include "tools/router/link/routes_link.h"
#include "tools/router/routes/route_table.h"

namespace baton::router {

struct RouterOptions {
  std::string id;
  std::vector<std::string> batond;  // addresses; the next is tried when one does not lead
  ClientCredentials credentials = nullptr;
  std::string router_group;         // TCP routes of other groups are not served; empty: all are
  ProxyPaths paths;
  std::optional<SpawnOptions> spawn;  // absent: joins a HAProxy that others run
  bool keep_haproxy = false;          // with spawn: HAProxy goes on when this program stops
  bool goodbye = false;               // say Goodbye even though HAProxy goes on
  std::chrono::milliseconds stop_limit{10'000};
  std::chrono::milliseconds leftover_limit{60'000};
};

class Router {
 public:
  Router(RouterOptions options, Log& log, Metrics& metrics);

  // Until `stop_fd` is readable (a signal), and HAProxy is stopped if it is ours.
  void Run(int stop_fd);

 private:
  using Time = std::chrono::steady_clock::time_point;

  void Step(Time now);
  void RunHaproxy(Time now);
  void Converge(Time now);
  void WatchDrains(Time now);
  void CleanUp(Time now);
  void Audit(Time now);
  void StepStop(Time now);
  bool HaproxyUsable() const;
  Time NextWake(Time now) const;
  void LogConverged(const Proxy::Convergence& done, Time began);
  void Measure(const Proxy::Convergence& done, Time began);
  void MeasureTable(Time now);
  void MeasureLoad(Time now);
  void MeasureStream();
  void LogUnserved(const Proxy::Convergence& done);

  RouterOptions options_;
  Log& log_;
  Metrics& metrics_;
  Mailbox mailbox_;
  RoutesLink link_;
  Proxy proxy_;
  std::optional<HaproxySupervisor> haproxy_;

  bool dirty_ = false;  // the table may not be in force
  Time converge_at_{};  // when it is due
  Backoff converge_backoff_;
  std::string converge_error_;  // as last logged
  std::string drain_error_;     // likewise
  std::vector<std::string> leftovers_;
  std::map<RouteKey, std::string> unserved_;  // and why; as last logged
  int worker_ = 0;
  bool connected_ = false;  // as last measured
  Time audit_at_{};
  Time full_audit_at_{};
  Time clean_at_{};
  Time drain_poll_at_{};
  DrainWatch drains_;
  DrainTimes drain_times_;
  LoadMeter load_meter_;
  bool said_load_ = false;  // and batond has it still
  LeftoverWatch leftover_watch_;
  bool stopping_ = false;
  bool leaving_ = false;
  bool stopped_ = false;
};

}  // namespace baton::router
