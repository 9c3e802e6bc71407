#include "tools/cell/instances/environment.h"

#include <nlohmann/json.hpp>

namespace baton::cell {

std::map<std::string, std::string> CellEnvironment(const InstanceRecord& record, const std::string& address) {
  const std::string index = std::to_string(record.order.index);
  std::map<std::string, std::string> given{
      {"CF_INSTANCE_GUID", record.instance_guid},
      {"CF_INSTANCE_INDEX", index},
      {"INSTANCE_GUID", record.instance_guid},
      {"INSTANCE_INDEX", index},
      {"CF_INSTANCE_IP", address},
      {"CF_INSTANCE_INTERNAL_IP", address},
  };
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [port, host_port] : record.ports) {
    list.push_back({{"external", host_port}, {"internal", port}});
    given["PORT_" + std::to_string(port)] = std::to_string(host_port);
  }
  given["CF_INSTANCE_PORTS"] = list.dump();
  if (!record.ports.empty()) {
    const std::string first = std::to_string(record.ports.front().second);
    given["PORT"] = given["CF_INSTANCE_PORT"] = first;
    given["CF_INSTANCE_ADDR"] = address + ":" + first;
  }
  return given;
}

v1::ActualLRPNetInfo NetInfoOf(const InstanceRecord& record, const std::string& address) {
  v1::ActualLRPNetInfo net_info;
  net_info.set_address(address);
  net_info.set_instance_address(address);
  net_info.set_preferred_address(v1::ActualLRPNetInfo::HOST);
  for (const auto& [port, host_port] : record.ports) {
    v1::PortMapping* mapping = net_info.add_ports();
    mapping->set_container_port(port);
    mapping->set_host_port(host_port);
  }
  return net_info;
}

}  // namespace baton::cell
