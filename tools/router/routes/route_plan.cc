#include "tools/router/routes/route_plan.h"

#include "tools/router/routes/naming.h"

namespace baton::router {
namespace {

const RouteTable::Endpoints kNoEndpoints;
const HaproxyView::Servers kNoServers;

// What is wanted of each backend of the pool.
std::map<std::string, const RouteTable::Endpoints*> Wanted(const RouteTable& table,
                                                           const BackendAssignment& assignment) {
  std::map<std::string, const RouteTable::Endpoints*> wanted;
  for (const auto& [route, backend] : assignment.backend_of) wanted[backend] = &table.routes().at(route);
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
  parts.serve.push_back("add server " + path + " " + ServerAddress(endpoint.address, endpoint.port) +
                        ServerOptions(endpoint.route));
  parts.serve.push_back("enable server " + path);
}

void PlanServer(const std::string& path, const RouteEndpoint& endpoint, const HaproxyServer& server, bool changes_hands,
                Parts& parts) {
  if (endpoint.draining) {
    if (server.mode == ServerMode::kReady || server.mode == ServerMode::kDown) {
      (changes_hands ? parts.clear : parts.retire).push_back("set server " + path + " state drain");
    }
    return;
  }
  const bool moves = server.address != endpoint.address || server.port != endpoint.port;
  // Of the former route under the same name. No map stands between a TCP port and its servers: it takes nothing until
  // it has its new address.
  const bool out = moves && changes_hands && server.mode != ServerMode::kMaint;
  if (out) parts.clear.push_back("set server " + path + " state maint");
  if (moves) {
    parts.serve.push_back("set server " + path + " addr " + endpoint.address + " port " +
                          std::to_string(endpoint.port));
  }
  if (server.mode == ServerMode::kReady && !out) return;
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
      PlanServer(path, endpoint, server->second, changes_hands, parts);
    }
  }
  for (const auto& [name, server] : present) {
    if (wanted.contains(name) || server.mode == ServerMode::kMaint) continue;
    // Maintenance lets requests in flight finish and closes idle connections at once (measured).
    retire.push_back("set server " + backend + "/" + name + " state maint");
  }
}

void PlanMap(const BackendAssignment& assignment, const HaproxyView& view, const std::string& map_path, Parts& parts) {
  const std::map<std::string, std::string> wanted = MapEntries(assignment);
  for (const auto& [key, backend] : view.routes) {
    if (!wanted.contains(key)) parts.unmap.push_back("del map " + map_path + " " + key);
  }
  for (const auto& [key, backend] : wanted) {
    const auto present = view.routes.find(key);
    if (present == view.routes.end()) {
      parts.map.push_back("add map " + map_path + " " + key + " " + backend);
    } else if (present->second != backend) {
      // "add map" would add a second line for a key that is there.
      (HasInstances(backend) ? parts.map : parts.unmap).push_back("set map " + map_path + " " + key + " " + backend);
    }
  }
}

}  // namespace

std::string ServerOptions(const RouteKey& route) {
  return route.tcp() ? "" : " pool-max-conn 128 pool-purge-delay 1s";
}

std::string ServerAddress(const std::string& address, std::uint32_t port) {
  const bool v6 = address.find(':') != std::string::npos;
  return (v6 ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

std::vector<std::string> PlanRoutes(const RouteTable& table, const BackendAssignment& assignment,
                                    const HaproxyView& view, const std::string& map_path) {
  Parts parts;
  const auto wanted = Wanted(table, assignment);
  for (const std::vector<std::string>* backends : {&view.pool, &view.tcp}) {
    for (const std::string& backend : *backends) {
      const auto want = wanted.find(backend);
      const auto present = view.servers.find(backend);
      PlanBackend(backend, want == wanted.end() ? kNoEndpoints : *want->second,
                  present == view.servers.end() ? kNoServers : present->second, assignment.moved_in.contains(backend),
                  parts);
    }
  }
  PlanMap(assignment, view, map_path, parts);
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

}  // namespace baton::router
