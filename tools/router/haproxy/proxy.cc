#include "tools/router/haproxy/proxy.h"

#include "tools/router/haproxy/haproxy_socket.h"
#include "tools/router/routes/route_plan.h"

namespace baton::router {
namespace {

// One round does it; a second is for what HAProxy refused because another client changed it in between.
constexpr int kRoundsMax = 3;
constexpr int kRefusalsLoggedMax = 5;

}  // namespace

Result<Proxy::Convergence> Proxy::Converge(const RouteTable& table, bool tell_if_unfit) {
  Convergence convergence;
  for (int round = 0; round <= kRoundsMax; ++round) {
    Result<HaproxyView> view = Look();
    if (!view) return view.error();
    convergence.view = std::move(*view);
    convergence.assignment = AssignBackends(table, convergence.view);
    const bool knows_routes = convergence.view.knows_routes;
    convergence.unfit = tell_if_unfit && (!convergence.assignment.unserved.empty() || !knows_routes);
    if (convergence.unfit) return convergence;
    if (!knows_routes) {
      return Error{ErrorKind::kFailedPrecondition,
                   "HAProxy's configuration was made by an older baton-router and knows host names only: it is left as "
                   "it is; give it a new one (baton-router config) and reload it"};
    }
    const std::vector<std::string> commands = PlanRoutes(table, convergence.assignment, convergence.view, paths_.map);
    if (commands.empty()) {
      convergence.leftovers = Leftovers(table, convergence.assignment, convergence.view);
      return convergence;
    }
    convergence.commands += commands.size();
    if (const Status done = Do(commands); !done) return done.error();
  }
  return Error{ErrorKind::kUnavailable, "HAProxy does not become what it was told to be"};
}

Result<std::vector<std::string>> Proxy::AskForSessions(int worker) const {
  auto answers = HaproxySocket(paths_.socket).Run({"show info", "show stat -1 4 -1", "show servers conn"});
  if (!answers) return answers.error();
  if (InfoNumber((*answers)[0], "Pid") != worker) return Error{ErrorKind::kAborted, "HAProxy has another worker now"};
  answers->erase(answers->begin());
  return answers;
}

Result<ServerSessions> Proxy::ReadSessions(int worker) const {
  const auto answers = AskForSessions(worker);
  return answers ? ParseSessions(*answers) : answers.error();
}

Result<InstanceSessions> Proxy::ReadAllSessions(int worker) {
  const Result<ServerSessions> servers = ReadSessions(worker);
  if (!servers) return servers.error();
  InstanceSessions instances;
  AddByInstance(*servers, instances);
  if (const Status read = old_workers_.AddSessions(instances); !read) return read.error();
  return instances;
}

Result<InstanceReadings> Proxy::ReadLoad(int worker) {
  const auto answers = AskForSessions(worker);
  if (!answers) return answers.error();
  const Result<ServerSessions> sessions = ParseSessions(*answers);
  if (!sessions) return sessions.error();
  const auto requests = ParseRequests((*answers)[0]);
  if (!requests) return requests.error();
  InstanceReadings readings;
  AddByInstance(*sessions, readings.sessions);
  AddByInstance(*requests, readings.requests);
  (void)old_workers_.AddSessions(readings.sessions);
  return readings;
}

void Proxy::Try(const std::vector<std::string>& commands) const {
  const auto answers = HaproxySocket(paths_.socket).Run(commands);
  if (!answers) log_.Debug("haproxy_not_reached", {{"error", answers.error().message}});
}

int Proxy::WorkerPid() const {
  const auto answers = HaproxySocket(paths_.socket).Run({"show info"});
  return answers ? static_cast<int>(std::max<std::int64_t>(0, InfoNumber((*answers)[0], "Pid"))) : 0;
}

Result<HaproxyView> Proxy::Look() {
  const auto answers =
      HaproxySocket(paths_.socket).Run({"show info", "show backend", "show servers state", "show map " + paths_.map});
  if (!answers) return answers.error();
  Result<HaproxyView> view = ParseView(*answers);
  if (!view) return view;
  if (const Status settled = old_workers_.Refresh(view->pid); !settled) return settled.error();
  return view;
}

Status Proxy::Do(const std::vector<std::string>& commands) {
  const auto answers = HaproxySocket(paths_.socket).Run(commands);
  if (!answers) return answers.error();
  int refused = 0;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (Accepted(commands[i], (*answers)[i])) continue;
    if (++refused <= kRefusalsLoggedMax) {
      log_.Warn("haproxy_refused", {{"command", commands[i]}, {"answer", (*answers)[i]}});
    }
  }
  if (refused > kRefusalsLoggedMax) log_.Warn("haproxy_refused_more", {{"commands", refused}});
  return Done{};
}

}  // namespace baton::router
