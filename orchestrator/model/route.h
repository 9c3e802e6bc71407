// How an app is reached, and where its instances answer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "orchestrator/model/id.h"

namespace baton {

// One host name, led to one port of the app's definitions.
struct HttpRoute {
  std::string hostname;  // lower case
  std::uint32_t port = 0;

  auto operator<=>(const HttpRoute&) const = default;
};

struct Routes {
  std::map<std::string, std::string> payloads;  // router -> its JSON, as it was given
  std::vector<HttpRoute> http;                  // what "cf-router" says, sorted, each pair once

  bool operator==(const Routes&) const = default;
};

struct PortMapping {
  std::uint32_t container_port = 0;
  std::uint32_t host_port = 0;

  bool operator==(const PortMapping&) const = default;
};

struct NetInfo {
  std::string address;
  std::string instance_address;
  std::vector<PortMapping> ports;

  bool operator==(const NetInfo&) const = default;
};

// A host name of one instance, resolved by the ports of the instance's own definition.
struct Endpoint {
  std::string hostname;
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
