// What one HAProxy worker says it has: backends, servers, its map of routes, sessions. Read, never remembered: the plan compares
// this with the route table. Parsing only; no I/O.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/base/result.h"

namespace baton::router {

enum class ServerMode {
  kReady,  // takes new requests
  kDrain,  // requests in flight only
  kMaint,  // none; it may be deleted when its connections are gone
  kDown,   // none, for a reason that is not ours (a check, a weight of 0)
};
std::string_view Name(ServerMode mode);

struct HaproxyServer {
  std::string address;
  std::uint32_t port = 0;
  ServerMode mode = ServerMode::kDown;
  int weight = 1;
  bool operator==(const HaproxyServer&) const = default;
};

struct HaproxyView {
  using Servers = std::map<std::string, HaproxyServer>;  // by name

  int pid = 0;
  // Its configuration looks routes up as MapKey writes them. One that was made by a router of before knows host names
  // only: to write routes into its map would take every host name off the net.
  bool knows_routes = false;
  std::vector<std::string> pool;              // names of the pool's backends, sorted
  std::vector<std::string> tcp;               // those of TCP ports, sorted
  std::map<std::string, Servers> servers;     // by backend of either kind; those with none are missing
  std::map<std::string, std::string> routes;  // the map: MapKey of a route -> backend
};

// Sessions of each instance's server, by "backend/server": in a request, or waiting for it. Connections that idle in
// the server-side pool are none.
using ServerSessions = std::map<std::string, std::int64_t>;
// The same of each instance, over all backends. An instance that is missing has no server.
using InstanceSessions = std::map<std::string, std::int64_t>;
// With the requests that each was given since its servers were added.
struct InstanceReadings {
  InstanceSessions sessions;
  std::map<std::string, std::int64_t> requests;
};

// Answers to "show info", "show backend", "show servers state" and "show map PATH", in this order.
Result<HaproxyView> ParseView(const std::vector<std::string>& answers);
// Answers to "show stat -1 4 -1" and "show servers conn": of the two counters the greater.
Result<ServerSessions> ParseSessions(const std::vector<std::string>& answers);
// Answer to "show stat -1 4 -1": the requests, of TCP the connections, that each server was given, by "backend/server".
Result<std::map<std::string, std::int64_t>> ParseRequests(std::string_view answer);
void AddByInstance(const ServerSessions& servers, InstanceSessions& instances);

// The number after "NAME: " in an answer to "show info"; -1 if it is not there.
std::int64_t InfoNumber(std::string_view info, std::string_view name);

}  // namespace baton::router
