#include "tools/router/route_plan.h"

#include "tools/router/naming.h"

namespace baton {
namespace {

const RouteTable::Endpoints kNoEndpoints;
const HaproxyView::Servers kNoServers;

// What is wanted of each backend of the pool.
std::map<std::string, const RouteTable::Endpoints*> Wanted(const RouteTable& table,
                                                           const BackendAssignment& assignment) {
  std::map<std::string, const RouteTable::Endpoints*> wanted;
  for (const auto& [hostname, backend] : assignment.backend_of) wanted[backend] = &table.hosts().at(hostname);
  return wanted;
}

// The commands, in the parts whose order route_plan.h promises.
struct Parts {
  std::vector<std::string> unmap;
  std::vector<std::string> clear;
  std::vector<std::string> serve;
  std::vector<std::string> map;
  std::vector<std::string> retire;

  std::vector<std::string> Joined() && {
    std::vector<std::string> all = std::move(unmap);
    for (std::vector<std::string>* part : {&clear, &serve, &map, &retire}) {
      all.insert(all.end(), std::make_move_iterator(part->begin()), std::make_move_iterator(part->end()));
    }
    return all;
  }
};

void PlanNewServer(const std::string& path, const RouteEndpoint& endpoint, Parts& parts) {
  if (endpoint.draining) return;  // without a server it has no connections: nothing to drain
  parts.serve.push_back("add server " + path + " " + ServerAddress(endpoint.address, endpoint.port) + " " +
                        kServerOptions);
  parts.serve.push_back("enable server " + path);
}

// `retire`: the part for servers that are to take nothing more.
void PlanServer(const std::string& path, const RouteEndpoint& endpoint, const HaproxyServer& server, Parts& parts,
                std::vector<std::string>& retire) {
  if (endpoint.draining) {
    if (server.mode == ServerMode::kReady || server.mode == ServerMode::kDown) {
      retire.push_back("set server " + path + " state drain");
    }
    return;
  }
  if (server.address != endpoint.address || server.port != endpoint.port) {
    parts.serve.push_back("set server " + path + " addr " + endpoint.address + " port " +
                          std::to_string(endpoint.port));
  }
  if (server.mode == ServerMode::kReady) return;
  parts.serve.push_back("set server " + path + " state ready");
  if (server.weight == 0) parts.serve.push_back("set server " + path + " weight 100%");
  if (server.mode == ServerMode::kDown) parts.serve.push_back("set server " + path + " health up");
}

void PlanBackend(const std::string& backend, const RouteTable::Endpoints& wanted, const HaproxyView::Servers& present,
                 bool changes_hands, Parts& parts) {
  std::vector<std::string>& retire = changes_hands ? parts.clear : parts.retire;
  for (const auto& [name, endpoint] : wanted) {
    const std::string path = backend + "/" + name;
    const auto server = present.find(name);
    if (server == present.end()) {
      PlanNewServer(path, endpoint, parts);
    } else {
      PlanServer(path, endpoint, server->second, parts, retire);
    }
  }
  for (const auto& [name, server] : present) {
    if (wanted.contains(name) || server.mode == ServerMode::kMaint) continue;
    // Maintenance lets requests in flight finish and closes idle connections at once (measured).
    retire.push_back("set server " + backend + "/" + name + " state maint");
  }
}

void PlanMap(const RouteTable& table, const BackendAssignment& assignment, const HaproxyView& view,
             const std::string& map_path, Parts& parts) {
  for (const auto& [hostname, backend] : view.routes) {
    if (!table.hosts().contains(hostname)) parts.unmap.push_back("del map " + map_path + " " + hostname);
  }
  for (const auto& [hostname, endpoints] : table.hosts()) {
    const auto assigned = assignment.backend_of.find(hostname);
    const std::string backend(assigned == assignment.backend_of.end() ? kFullBackend : assigned->second);
    const auto route = view.routes.find(hostname);
    if (route != view.routes.end() && route->second == backend) continue;
    // "add map" would add a second line for a name that is there.
    parts.map.push_back((route == view.routes.end() ? "add map " : "set map ") + map_path + " " + hostname + " " +
                        backend);
  }
}

}  // namespace

std::string ServerAddress(const std::string& address, std::uint32_t port) {
  const bool v6 = address.find(':') != std::string::npos;
  return (v6 ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

std::vector<std::string> PlanRoutes(const RouteTable& table, const BackendAssignment& assignment,
                                    const HaproxyView& view, const std::string& map_path) {
  Parts parts;
  const auto wanted = Wanted(table, assignment);
  for (const std::string& backend : view.pool) {
    const auto want = wanted.find(backend);
    const auto present = view.servers.find(backend);
    PlanBackend(backend, want == wanted.end() ? kNoEndpoints : *want->second,
                present == view.servers.end() ? kNoServers : present->second, assignment.moved_in.contains(backend),
                parts);
  }
  PlanMap(table, assignment, view, map_path, parts);
  return std::move(parts).Joined();
}

std::vector<std::string> Leftovers(const RouteTable& table, const BackendAssignment& assignment,
                                   const HaproxyView& view) {
  std::vector<std::string> leftovers;
  const auto wanted = Wanted(table, assignment);
  for (const auto& [backend, servers] : view.servers) {
    const auto want = wanted.find(backend);
    for (const auto& [name, server] : servers) {
      if (want == wanted.end() || !want->second->contains(name)) leftovers.push_back(backend + "/" + name);
    }
  }
  return leftovers;
}

}  // namespace baton
