// Baton's route table as this router was told it: what HAProxy is to be brought to. A value; no I/O.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace baton {

struct RouteRevisionId {
  std::int64_t epoch = 0;
  std::int64_t number = 0;
  auto operator<=>(const RouteRevisionId&) const = default;
};

struct RouteEndpoint {
  std::string hostname;
  std::string actual_id;
  std::string address;  // canonical, see CanonicalAddress
  std::uint32_t port = 0;
  bool draining = false;
  bool operator==(const RouteEndpoint&) const = default;
};

struct RouteEndpointKey {
  std::string hostname;
  std::string actual_id;
};

struct RouteDelta {
  std::vector<RouteEndpoint> added;
  std::vector<RouteEndpoint> draining;
  std::vector<RouteEndpointKey> removed;
};

class RouteTable {
 public:
  using Endpoints = std::map<std::string, RouteEndpoint>;  // by actual_id
  using Hosts = std::map<std::string, Endpoints>;          // by host name; never with an empty entry

  // A snapshot: everything that is not in it is forgotten. Where an endpoint is both, draining wins.
  void Replace(RouteRevisionId revision, const std::vector<RouteEndpoint>& endpoints);
  // A change: removed first, then added, then draining. A draining endpoint that is unknown becomes known, so that it
  // is reported as drained; it gets no server.
  void Change(RouteRevisionId revision, const RouteDelta& delta);

  RouteRevisionId revision() const { return revision_; }
  const Hosts& hosts() const { return hosts_; }
  std::size_t EndpointCount() const;
  // Instances all of whose endpoints are draining.
  std::set<std::string> DrainingInstances() const;

 private:
  void Put(const RouteEndpoint& endpoint);
  void Remove(const RouteEndpointKey& key);

  RouteRevisionId revision_;
  Hosts hosts_;
};

}  // namespace baton
