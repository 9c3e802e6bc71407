// How an app is reached, and where its instances answer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "orchestrator/model/id.h"

namespace baton {

// Where requests come in: a host name, perhaps with a path, or a TCP port of the routers' own.
struct Route {
  std::string hostname;             // lower case; "*.suffix" takes every name below the suffix; empty: a TCP route
  std::string path;                 // "/api" takes "/api" and what is below it; empty: every path
  std::uint32_t external_port = 0;  // of a TCP route: the port that routers listen on
  std::string router_group;         // of a TCP route: CF's router_group_guid; may be empty

  auto operator<=>(const Route&) const = default;
};

// As people write it, and as it is stored: "shop.example/api", "*.shop.example", "tcp:1024", "tcp:1024@group".
std::string Name(const Route& route);
// The route of that name; an empty one where it is no name of one.
Route RouteNamed(const std::string& name);

// A route of an app, and the container port that it was mapped to last. What it means for an instance is its
// definition's to say (routing/bindings.h).
struct MappedRoute {
  Route route;
  std::uint32_t port = 0;

  auto operator<=>(const MappedRoute&) const = default;
};

// Which container port of a definition's instances a route leads to.
struct Binding {
  std::uint32_t port = 0;  // 0: none, the route is unbound
  bool accepted = false;   // unbound, and the caller allowed that (accept_unroutable)

  bool operator==(const Binding&) const = default;
};
using Bindings = std::map<Route, Binding>;

struct Routes {
  std::map<std::string, std::string> payloads;  // router -> its JSON, as it was given
  std::vector<MappedRoute> mapped;              // what "cf-router" and "tcp-router" say, sorted, each route once
  // By definition, where routes lead in its instances that do not lead where DefaultBinding (routing/bindings.h) says.
  std::map<DefinitionId, Bindings> bindings;

  bool operator==(const Routes&) const = default;
};

struct PortMapping {
  std::uint32_t container_port = 0;
  std::uint32_t host_port = 0;
  std::uint32_t container_tls_proxy_port = 0;  // both 0: no TLS proxy
  std::uint32_t host_tls_proxy_port = 0;

  bool operator==(const PortMapping&) const = default;
};

enum class PreferredAddress { kUnknown, kInstance, kHost };

// Baton's own routers take the address and the host ports. The rest is kept for those who read it.
struct NetInfo {
  std::string address;
  std::string instance_address;
  std::vector<PortMapping> ports;
  PreferredAddress preferred_address = PreferredAddress::kUnknown;
  std::string instance_ipv6_address = {};

  bool operator==(const NetInfo&) const = default;
};

// Whether Baton's routers send requests to the same places: no endpoint of a route tells them apart.
bool SameEndpoints(const NetInfo& one, const NetInfo& other);

// A route of one instance, resolved by the bindings of the instance's own definition.
struct Endpoint {
  Route route;
  ActualId actual_id;
  std::string address;
  std::uint32_t port = 0;
  ProcessGuid process_guid;
  int index = 0;
  InstanceGuid instance_guid;
  DefinitionId definition;

  bool operator==(const Endpoint&) const = default;
};

}  // namespace baton
