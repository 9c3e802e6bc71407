#include "tools/router/router.h"

#include <poll.h>

#include <algorithm>
#include <array>

namespace baton::router {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;
using HaproxyState = HaproxySupervisor::State;

constexpr milliseconds kAuditInterval{250};       // is it still the same worker? 0.1 ms
constexpr milliseconds kFullAuditInterval{2000};  // is all as it should be? 1.5 ms for 1,000 servers
constexpr milliseconds kDrainPollInterval{60};
constexpr milliseconds kCleanInterval{100};
constexpr milliseconds kTransitionPollInterval{20};
// Polling takes at most a fifth of the time, however large the table.
constexpr int kRestPerWork = 4;

int PollTimeout(Clock::time_point wake) {
  if (wake == Clock::time_point::max()) return -1;
  const auto left = std::chrono::ceil<milliseconds>(wake - Clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
}

// When to poll again after work that began then.
Clock::time_point Again(Clock::time_point began, milliseconds every) {
  const Clock::time_point now = Clock::now();
  return now + std::max<Clock::duration>(every, (now - began) * kRestPerWork);
}

}  // namespace

Router::Router(RouterOptions options, Log& log, Metrics& metrics)
    : options_(std::move(options)), log_(log), metrics_(metrics),
      link_({options_.id, options_.batond, options_.credentials, options_.router_group}, mailbox_, log), proxy_(options_.paths, log),
      converge_backoff_(milliseconds(50), milliseconds(1000)), leftover_watch_(options_.leftover_limit) {
  if (options_.spawn) haproxy_.emplace(*options_.spawn, proxy_.old_workers(), log_);
}

void Router::Run(int stop_fd) {
  if (haproxy_) haproxy_->Adopt();
  while (true) {
    const Time now = Clock::now();
    Step(now);
    if (stopped_) return;
    std::array<pollfd, 3> waited{{{mailbox_.fd(), POLLIN, 0},
                                  {stopping_ ? -1 : stop_fd, POLLIN, 0},
                                  {haproxy_ ? haproxy_->exit_fd() : -1, POLLIN, 0}}};
    poll(waited.data(), waited.size(), PollTimeout(NextWake(now)));
    if (waited[1].revents != 0) {
      stopping_ = true;
      log_.Info("router_stopping");
    }
  }
}

void Router::Step(Time now) {
  const RoutesLink::News news = link_.Step(now);
  MeasureStream();
  if (news.stream) drains_.Reset();
  if (news.table) {
    MeasureTable(now);
    dirty_ = true;
    converge_at_ = now;
  }
  if (stopping_) return StepStop(now);
  if (!link_.table()) return;
  if (haproxy_) RunHaproxy(now);
  if (!HaproxyUsable()) return;
  Audit(now);
  if (dirty_ && now >= converge_at_) Converge(now);
  if (dirty_ || !HaproxyUsable()) return;
  WatchDrains(now);
  CleanUp(now);
}

void Router::RunHaproxy(Time now) {
  const HaproxyState before = haproxy_->state();
  const HaproxyState state = haproxy_->Poll(now);
  if (state == HaproxyState::kUp && before != HaproxyState::kUp) {
    dirty_ = true;
    converge_at_ = now;
  }
  // Not before there is a table: a HAProxy without one would answer 404 for host names that exist.
  if (haproxy_->MayStart(now)) haproxy_->Start(*link_.table(), now);
}

void Router::Converge(Time now) {
  const RouteTable& table = *link_.table();
  const bool may_reload = haproxy_ && haproxy_->MayReload(now);
  Result<Proxy::Convergence> done = proxy_.Converge(table, may_reload);
  if (!done) {
    metrics_.Set("baton_router_in_step", 0);
    metrics_.Count("baton_router_converge_failed_total");
    if (done.error().message != converge_error_) {
      converge_error_ = done.error().message;
      log_.Warn("haproxy_not_in_step", {{"error", converge_error_}});
    }
    dirty_ = true;
    converge_at_ = Clock::now() + converge_backoff_.Next();
    return;
  }
  if (may_reload && (done->unfit || haproxy_->NeedsReload())) {
    dirty_ = true;
    metrics_.Count("baton_router_reloads_total");
    return haproxy_->Reload(table, done->view, table.HttpRouteCount(), now);
  }
  dirty_ = false;
  worker_ = done->view.pid;
  leftovers_ = std::move(done->leftovers);
  converge_backoff_.Reset();
  LogConverged(*done, now);
  Measure(*done, now);
  if (link_.SayApplied(Clock::now())) metrics_.Count("baton_router_acknowledged_total");
}

void Router::Measure(const Proxy::Convergence& done, Time began) {
  const BackendAssignment& assignment = done.assignment;
  metrics_.Set("baton_router_in_step", 1);
  metrics_.Observe("baton_router_converge_seconds", std::chrono::duration<double>(Clock::now() - began).count());
  metrics_.Count("baton_router_commands_total", {}, static_cast<double>(done.commands));
  metrics_.Set("baton_router_routes", static_cast<double>(assignment.backend_of.size()), "true");
  metrics_.Set("baton_router_routes", static_cast<double>(assignment.unserved.size() + assignment.refused.size()),
               "false");
  metrics_.Set("baton_router_backends", static_cast<double>(done.view.pool.size()));
  metrics_.Set("baton_router_tcp_ports", static_cast<double>(done.view.tcp.size()));
}

void Router::MeasureTable(Time now) {
  drain_times_.Drain(link_.table()->DrainingInstances(), now);
  metrics_.Set("baton_router_endpoints", static_cast<double>(link_.table()->EndpointCount()));
  metrics_.Set("baton_router_draining", static_cast<double>(link_.table()->DrainingInstances().size()));
}

void Router::MeasureLoad(Time now) {
  const Result<InstanceReadings> readings = proxy_.ReadLoad(worker_);
  if (!readings) return;  // the audit, which is about to be, says why
  std::int64_t sum = 0;
  for (const auto& [instance, count] : readings->sessions) sum += count;
  metrics_.Set("baton_router_sessions", static_cast<double>(sum));
  const auto loads = load_meter_.Observe(link_.table()->MeasuredInstances(), *readings, now);
  if (!loads.empty() || said_load_) link_.SayLoad(loads, now);
  said_load_ = !loads.empty();
}

void Router::MeasureStream() {
  if (link_.connected() == connected_) return;
  if (connected_) metrics_.Count("baton_router_connections_lost_total");
  connected_ = !connected_;
  metrics_.Set("baton_router_connected", connected_ ? 1 : 0);
}

void Router::LogConverged(const Proxy::Convergence& done, Time began) {
  if (!converge_error_.empty()) log_.Info("haproxy_in_step_again", {{"worker", done.view.pid}});
  converge_error_.clear();
  if (done.commands > 0) {
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - began).count();
    log_.Info("routes_in_force", {{"revision", link_.table()->revision().number},
                                  {"commands", done.commands},
                                  {"took_ms", static_cast<double>(took) / 1000.0}});
  }
  LogUnserved(done);
}

void Router::LogUnserved(const Proxy::Convergence& done) {
  std::map<RouteKey, std::string> unserved = done.assignment.refused;
  for (const RouteKey& route : done.assignment.unserved) {
    unserved.emplace(route, "the pool has no backend left; configure more");
  }
  for (const auto& [route, why] : unserved) {
    const auto known = unserved_.find(route);
    if (known != unserved_.end() && known->second == why) continue;
    log_.Error("route_not_served", {{"route", Text(route)},
                                    {"why", why},
                                    {"backends", done.view.pool.size()},
                                    {"tcp_ports", done.view.tcp.size()},
                                    {"routes", link_.table()->routes().size()}});
  }
  for (const auto& [route, why] : unserved_) {
    if (!unserved.contains(route)) log_.Info("route_no_longer_refused", {{"route", Text(route)}});
  }
  unserved_ = std::move(unserved);
}

void Router::WatchDrains(Time now) {
  if (now < drain_poll_at_) return;
  const std::set<std::string> draining = link_.table()->DrainingInstances();
  if (!drains_.Waiting(draining)) return;
  const Result<InstanceSessions> sessions = proxy_.ReadAllSessions(worker_);
  drain_poll_at_ = Again(now, kDrainPollInterval);
  if (!sessions) {
    if (sessions.error().message != drain_error_) {
      drain_error_ = sessions.error().message;
      log_.Warn("drains_not_watched", {{"error", drain_error_}, {"draining", draining.size()}});
    }
    dirty_ = true;
    converge_at_ = drain_poll_at_;
    return;
  }
  drain_error_.clear();
  const std::vector<std::string> drained = drains_.Observe(draining, *sessions);
  if (drained.empty()) return;
  link_.SayDrained(drained, Clock::now());
  metrics_.Count("baton_router_drained_total", {}, static_cast<double>(drained.size()));
  for (const std::string& actual_id : drained) {
    if (const auto took = drain_times_.Drained(actual_id, now))
      metrics_.Observe("baton_router_drain_seconds", took->count());
  }
}

void Router::CleanUp(Time now) {
  if (leftovers_.empty() || now < clean_at_) return;
  const Result<ServerSessions> sessions = proxy_.ReadSessions(worker_);
  clean_at_ = Again(now, kCleanInterval);
  if (!sessions) return;  // the audit finds out why
  const LeftoverSteps steps = leftover_watch_.Next(leftovers_, *sessions, now);
  if (steps.commands.empty()) return;
  for (const std::string& server : steps.cut) log_.Warn("leftover_sessions_cut", {{"server", server}});
  metrics_.Count("baton_router_sessions_cut_total", {}, static_cast<double>(steps.cut.size()));
  proxy_.Try(steps.commands);
  dirty_ = true;  // to see what is left
  converge_at_ = clean_at_;
}

void Router::Audit(Time now) {
  if (now < audit_at_ || dirty_) return;
  audit_at_ = now + kAuditInterval;
  if (now >= full_audit_at_) {
    full_audit_at_ = now + kFullAuditInterval;
    if (haproxy_) haproxy_->TrimLog();
    MeasureLoad(now);
    dirty_ = true;
  } else if (proxy_.WorkerPid() != worker_) {
    log_.Warn("haproxy_changed", {{"worker_before", worker_}});
    dirty_ = true;
  }
  converge_at_ = now;
}

void Router::StepStop(Time now) {
  if (haproxy_ && !options_.keep_haproxy) {
    HaproxyState state = haproxy_->Poll(now);
    const bool between = state == HaproxyState::kStarting || state == HaproxyState::kReloading;
    if (!between && state != HaproxyState::kStopping && state != HaproxyState::kStopped) {
      haproxy_->Stop(now, options_.stop_limit);
      state = haproxy_->state();
    }
    if (state != HaproxyState::kStopped) return;
  }
  // A HAProxy that goes on still sends requests to what it knows: saying Goodbye would let batond stop instances
  // without waiting. Without it this consumer stays registered until its successor comes, or its lease ends.
  const bool goodbye = options_.goodbye || (haproxy_ && !options_.keep_haproxy);
  if (!leaving_) link_.Leave(goodbye, now);
  leaving_ = true;
  stopped_ = link_.Left(now);
}

bool Router::HaproxyUsable() const { return !haproxy_ || haproxy_->state() == HaproxyState::kUp; }

Router::Time Router::NextWake(Time now) const {
  Time wake = link_.NextWake();
  if (stopping_) return leaving_ ? wake : std::min(wake, now + kTransitionPollInterval);
  if (!link_.table()) return wake;
  if (!HaproxyUsable()) return std::min(wake, now + kTransitionPollInterval);
  wake = std::min(wake, dirty_ ? converge_at_ : audit_at_);
  if (!leftovers_.empty() && !dirty_) wake = std::min(wake, clean_at_);
  if (!dirty_ && drains_.Waiting(link_.table()->DrainingInstances())) wake = std::min(wake, drain_poll_at_);
  return wake;
}

}  // namespace baton::router
