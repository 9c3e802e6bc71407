#include "orchestrator/transform/messages/cell.h"

#include <algorithm>
#include <limits>

namespace baton::transform {
namespace {

std::int32_t Int32(std::int64_t value) {
  return static_cast<std::int32_t>(std::min<std::int64_t>(value, std::numeric_limits<std::int32_t>::max()));
}

// "preloaded:cflinuxfs4" is a kind of root file system and which of it; "docker:" takes any.
void AddProvider(const std::string& stack, v1::CellPresence& made) {
  const std::size_t colon = stack.find(':');
  const std::string name = stack.substr(0, colon);
  const auto known = std::ranges::find(*made.mutable_rootfs_providers(), name, &v1::Provider::name);
  v1::Provider& provider =
      known == made.mutable_rootfs_providers()->end() ? *made.add_rootfs_providers() : *known;
  provider.set_name(name);
  if (colon != std::string::npos && colon + 1 < stack.size()) provider.add_properties(stack.substr(colon + 1));
}

}  // namespace

std::optional<v1::CellPresence> ToV1(const v2::Cell& cell) {
  if (cell.state() == "MISSING") return std::nullopt;
  v1::CellPresence made;
  made.set_cell_id(cell.cell_id());
  made.set_rep_address(cell.address());
  made.set_zone(cell.zone());
  made.mutable_capacity()->set_memory_mb(Int32(cell.capacity().memory_mb()));
  made.mutable_capacity()->set_disk_mb(Int32(cell.capacity().disk_mb()));
  made.mutable_capacity()->set_containers(cell.capacity().containers());
  for (const auto& stack : cell.stacks()) AddProvider(stack, made);
  *made.mutable_placement_tags() = cell.placement_tags();
  return made;
}

v1::CellsResponse ToV1(const v2::ListCellsResponse& cells) {
  v1::CellsResponse made;
  for (const v2::Cell& cell : cells.cells()) {
    if (auto presence = ToV1(cell)) *made.add_cells() = *std::move(presence);
  }
  return made;
}

v2::ListCellsRequest ToV2(const v1::CellsRequest&) { return {}; }
v2::ListDomainsRequest ToV2(const v1::DomainsRequest&) { return {}; }
v2::PingRequest ToV2(const v1::PingRequest&) { return {}; }

v2::UpsertDomainRequest ToV2(const v1::UpsertDomainRequest& request) {
  v2::UpsertDomainRequest made;
  made.set_domain(request.domain());
  made.set_ttl_s(request.ttl());
  return made;
}

v1::DomainsResponse ToV1(const v2::ListDomainsResponse& domains) {
  v1::DomainsResponse made;
  for (const v2::Domain& domain : domains.domains()) made.add_domains(domain.domain());
  return made;
}

}  // namespace baton::transform
