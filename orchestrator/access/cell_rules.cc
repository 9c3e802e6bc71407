#include "orchestrator/access/cell_rules.h"

#include <algorithm>

namespace baton {
namespace {

bool IsOn(const ActualLrp& row, const CellId& cell) { return !cell.empty() && row.cell_id == cell; }
bool Waits(const ActualLrp& row) { return row.state == LrpState::kUnclaimed && row.presence != Presence::kRetiring; }

Error NotItsOwn(std::string what) { return {ErrorKind::kFailedPrecondition, "net_info." + std::move(what), {}}; }

Status CheckAddress(const CellPlace& place, const std::string& field, const std::string& text) {
  const auto address = IpAddress::From(text);
  const bool own = address && (std::ranges::find(place.addresses, *address) != place.addresses.end() ||
                               std::ranges::any_of(place.networks, [&](const IpNetwork& one) { return one.Has(*address); }));
  if (!own) {
    return NotItsOwn(field + " is " + text + ", which is neither an IP address of this cell's certificate (baton certs issue --ip) nor in " +
                     "its networks (batond --access)");
  }
  if (!address->IsLoopback() || place.loopback) return Done{};
  return NotItsOwn(field + " is " + text + ", and batond does not listen on loopback: that would be another machine's own");
}

}  // namespace

bool MayName(const Identity& caller, std::string_view cell_id) {
  return caller.role != Role::kCell || cell_id.empty() || cell_id == caller.name;
}

std::string FilterOf(const Identity& caller, const std::string& cell_id) {
  return caller.role == Role::kCell && cell_id.empty() ? caller.name : cell_id;
}

bool MayClaim(const ActualLrp& row, const InstanceGuid& start, const CellStanding& by) {
  if (IsOn(row, by.cell) && row.instance_guid == start) return true;
  return by.ordered || (by.pulls && Waits(row));
}

bool MayReject(const ActualLrp& row, const CellStanding& by) { return IsOn(row, by.cell) || by.ordered || (by.pulls && Waits(row)); }

bool MayReadDefinitionOf(const ActualLrp& row, const CellStanding& by) { return MayReject(row, by); }

Status CheckPlace(const CellPlace& place, const NetInfo& said) {
  if (!place.anywhere) {
    if (Status s = CheckAddress(place, "address", said.address); !s) return s;
    // What baton.v1 gives on, with the word which of them is preferred.
    for (const auto& [field, text] : {std::pair("instance_address", &said.instance_address),
                                      std::pair("instance_ipv6_address", &said.instance_ipv6_address)}) {
      if (text->empty()) continue;
      if (Status s = CheckAddress(place, field, *text); !s) return s;
    }
  }
  for (const PortMapping& port : said.ports) {
    for (const std::uint32_t host_port : {port.host_port, port.host_tls_proxy_port}) {
      if (host_port == 0) continue;
      if (host_port < kInstancePortMin) {
        return NotItsOwn("ports has host_port " + std::to_string(host_port) + ": below " +
                         std::to_string(kInstancePortMin) + " are those of the machine");
      }
      if (!place.ports || place.ports->Has(host_port)) continue;
      return NotItsOwn("ports has host_port " + std::to_string(host_port) + ", and the cell registered with " +
                       std::to_string(place.ports->first) + " to " + std::to_string(place.ports->last));
    }
  }
  return Done{};
}

}  // namespace baton
