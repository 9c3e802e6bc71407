#include "tools/router/status.h"

#include <algorithm>
#include <iomanip>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <sstream>
#include <vector>

#include "tools/router/haproxy_socket.h"
#include "tools/router/haproxy_view.h"
#include "tools/router/naming.h"
#include "tools/router/route_plan.h"

namespace baton {
namespace {

struct Seen {
  HaproxyView view;
  ServerSessions sessions;
};

// "4 (/run/baton/hosts.map) pattern loaded from ..." of the answer to "show map".
Result<std::string> FindMap(const HaproxySocket& socket) {
  const auto answers = socket.Run({"show map"});
  if (!answers) return answers.error();
  std::istringstream lines((*answers)[0]);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find('(');
    const std::size_t end = line.find(')');
    if (begin == std::string::npos || end == std::string::npos || end < begin) continue;
    const std::string path = line.substr(begin + 1, end - begin - 1);
    if (path.ends_with("/hosts.map")) return path;
  }
  return Error{ErrorKind::kNotFound, "HAProxy has no map by the name of hosts.map; name it with --map"};
}

Result<Seen> Look(const StatusQuestion& question) {
  const HaproxySocket socket(question.socket);
  std::string map = question.map;
  if (map.empty()) {
    const Result<std::string> found = FindMap(socket);
    if (!found) return found.error();
    map = *found;
  }
  const auto answers = socket.Run(
      {"show info", "show backend", "show servers state", "show map " + map, "show stat -1 4 -1", "show servers conn"});
  if (!answers) return answers.error();
  Result<HaproxyView> view = ParseView({answers->begin(), answers->begin() + 4});
  if (!view) return view.error();
  Result<ServerSessions> sessions = ParseSessions({answers->begin() + 4, answers->end()});
  if (!sessions) return sessions.error();
  return Seen{std::move(*view), std::move(*sessions)};
}

nlohmann::ordered_json Servers(const Seen& seen, const std::string& backend) {
  nlohmann::ordered_json servers = nlohmann::ordered_json::array();
  const auto found = seen.view.servers.find(backend);
  if (found == seen.view.servers.end()) return servers;
  for (const auto& [name, server] : found->second) {
    const auto sessions = seen.sessions.find(backend + "/" + name);
    servers.push_back({{"actual_id", name},
                       {"address", ServerAddress(server.address, server.port)},
                       {"state", Name(server.mode)},
                       {"sessions", sessions == seen.sessions.end() ? 0 : sessions->second}});
  }
  return servers;
}

nlohmann::ordered_json Report(const Seen& seen) {
  nlohmann::ordered_json hosts = nlohmann::ordered_json::array();
  std::set<std::string> routed;
  for (const auto& [hostname, backend] : seen.view.routes) {
    routed.insert(backend);
    hosts.push_back({{"hostname", hostname},
                     {"backend", backend},
                     {"served", backend != kFullBackend},
                     {"servers", Servers(seen, backend)}});
  }
  nlohmann::ordered_json leftovers = nlohmann::ordered_json::array();
  for (const auto& [backend, servers] : seen.view.servers) {
    if (!routed.contains(backend)) leftovers.push_back({{"backend", backend}, {"servers", Servers(seen, backend)}});
  }
  const auto used = std::count_if(seen.view.pool.begin(), seen.view.pool.end(),
                                  [&](const std::string& backend) { return routed.contains(backend); });
  return {{"worker", seen.view.pid},
          {"backends", seen.view.pool.size()},
          {"backends_used", used},
          {"hosts", std::move(hosts)},
          {"leftovers", std::move(leftovers)}};
}

void PrintServers(const std::string& hostname, const nlohmann::ordered_json& entry, std::ostream& out) {
  const auto line = [&](const std::string& server, const std::string& address, const std::string& state,
                        const std::string& sessions) {
    out << std::left << std::setw(36) << hostname << ' ' << std::setw(9) << entry["backend"].get<std::string>() << ' '
        << std::setw(38) << server << ' ' << std::setw(22) << address << ' ' << std::setw(6) << state << ' ' << sessions
        << '\n';
  };
  if (entry["servers"].empty()) line("-", "-", "-", "-");
  for (const auto& server : entry["servers"]) {
    line(server["actual_id"], server["address"], server["state"], std::to_string(server["sessions"].get<int>()));
  }
}

void PrintTable(const nlohmann::ordered_json& report, std::ostream& out) {
  out << "worker " << report["worker"] << ", " << report["backends_used"] << " of " << report["backends"]
      << " backends in use\n";
  out << std::left << std::setw(36) << "HOST NAME" << ' ' << std::setw(9) << "BACKEND" << ' ' << std::setw(38)
      << "INSTANCE" << ' ' << std::setw(22) << "ADDRESS" << ' ' << std::setw(6) << "STATE" << ' ' << "SESSIONS\n";
  for (const auto& host : report["hosts"]) PrintServers(host["hostname"], host, out);
  for (const auto& leftover : report["leftovers"]) PrintServers("(leftover)", leftover, out);
  for (const auto& host : report["hosts"]) {
    if (!host["served"]) out << "NOT SERVED, the pool is full: " << host["hostname"].get<std::string>() << '\n';
  }
}

}  // namespace

Result<bool> PrintStatus(const StatusQuestion& question, std::ostream& out) {
  const Result<Seen> seen = Look(question);
  if (!seen) return seen.error();
  const nlohmann::ordered_json report = Report(*seen);
  if (question.json) {
    out << report.dump(2) << '\n';
  } else {
    PrintTable(report, out);
  }
  return std::all_of(report["hosts"].begin(), report["hosts"].end(),
                     [](const nlohmann::ordered_json& host) { return host["served"].get<bool>(); });
}

}  // namespace baton
