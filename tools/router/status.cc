#include "tools/router/status.h"

#include <algorithm>
#include <iomanip>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>
#include <vector>

#include "tools/router/haproxy/haproxy_socket.h"
#include "tools/router/haproxy/haproxy_view.h"
#include "tools/router/routes/naming.h"
#include "tools/router/routes/route_key.h"
#include "tools/router/routes/route_plan.h"

namespace baton::router {
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

// One line of the map: its route in parts, and who serves it.
nlohmann::ordered_json Entry(const Seen& seen, const std::string& key, const std::string& backend) {
  nlohmann::ordered_json entry;
  const std::optional<RouteKey> route = FromMapKey(key);
  entry["route"] = route ? Text(*route) : key;
  if (!route) {
    entry["hostname"] = key;
  } else if (route->tcp()) {
    entry["external_port"] = route->external_port;
    entry["router_group_guid"] = route->router_group;
  } else {
    entry["hostname"] = route->hostname;
    entry["path"] = route->path;
  }
  entry["backend"] = backend;
  entry["served"] = backend != kFullBackend;
  entry["servers"] = Servers(seen, backend);
  return entry;
}

nlohmann::ordered_json Report(const Seen& seen) {
  nlohmann::ordered_json hosts = nlohmann::ordered_json::array();
  nlohmann::ordered_json tcp = nlohmann::ordered_json::array();
  std::set<std::string> routed;
  for (const auto& [key, backend] : seen.view.routes) {
    routed.insert(backend);
    (key.starts_with(':') ? tcp : hosts).push_back(Entry(seen, key, backend));
  }
  nlohmann::ordered_json leftovers = nlohmann::ordered_json::array();
  for (const auto& [backend, servers] : seen.view.servers) {
    if (!routed.contains(backend)) leftovers.push_back({{"backend", backend}, {"servers", Servers(seen, backend)}});
  }
  const auto used = [&](const std::vector<std::string>& backends) {
    return std::count_if(backends.begin(), backends.end(),
                         [&](const std::string& backend) { return routed.contains(backend); });
  };
  return {{"worker", seen.view.pid},
          {"backends", seen.view.pool.size()},
          {"backends_used", used(seen.view.pool)},
          {"tcp_ports", seen.view.tcp.size()},
          {"tcp_ports_used", used(seen.view.tcp)},
          {"hosts", std::move(hosts)},
          {"tcp", std::move(tcp)},
          {"leftovers", std::move(leftovers)}};
}

void PrintServers(const std::string& route, const nlohmann::ordered_json& entry, std::ostream& out) {
  const auto line = [&](const std::string& server, const std::string& address, const std::string& state,
                        const std::string& sessions) {
    out << std::left << std::setw(36) << route << ' ' << std::setw(9) << entry["backend"].get<std::string>() << ' '
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
      << " backends in use";
  if (report["tcp_ports"] != 0) out << ", " << report["tcp_ports_used"] << " of " << report["tcp_ports"] << " TCP ports";
  out << '\n'
      << std::left << std::setw(36) << "ROUTE" << ' ' << std::setw(9) << "BACKEND" << ' ' << std::setw(38) << "INSTANCE"
      << ' ' << std::setw(22) << "ADDRESS" << ' ' << std::setw(6) << "STATE" << ' ' << "SESSIONS\n";
  for (const char* kind : {"hosts", "tcp"}) {
    for (const auto& entry : report[kind]) PrintServers(entry["route"], entry, out);
  }
  for (const auto& leftover : report["leftovers"]) PrintServers("(leftover)", leftover, out);
  for (const auto& host : report["hosts"]) {
    if (!host["served"]) out << "NOT SERVED, the pool is full: " << host["route"].get<std::string>() << '\n';
  }
  for (const auto& port : report["tcp"]) {
    if (!port["served"]) out << "NOT SERVED, no such port or taken: " << port["route"].get<std::string>() << '\n';
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
  const auto served = [](const nlohmann::ordered_json& entry) { return entry["served"].get<bool>(); };
  return std::ranges::all_of(report["hosts"], served) && std::ranges::all_of(report["tcp"], served);
}

}  // namespace baton::router
