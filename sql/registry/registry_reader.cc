#include "sql/registry/registry_reader.h"

namespace baton {

CellRecord ReadCell(const Rows::Row& row) {
  CellRecord cell;
  cell.id = CellId(row.Text("cell_id"));
  cell.zone = row.Text("zone");
  cell.address = row.Text("address");
  cell.capacity = {row.Int("memory_mb"), row.Int("disk_mb"), row.Int("pids"), row.Int("containers")};
  cell.stacks = row.Array("stacks");
  cell.placement_tags = row.Array("placement_tags");
  cell.abilities = row.Array("abilities");
  cell.enforces = row.Array("enforces");
  cell.version = row.Text("version");
  cell.draining = row.Bool("draining");
  cell.lease_expires_at = row.Time("lease_expires_at");
  cell.lease_runs = row.Bool("lease_runs");
  cell.instances = static_cast<int>(row.Int("instances"));
  cell.epoch = row.Int("epoch");
  cell.present_since = row.OptionalTime("present_since");
  cell.missing_since = row.OptionalTime("missing_since");
  cell.losses = static_cast<int>(row.Int("losses"));
  cell.draining_since = row.OptionalTime("draining_since");
  cell.draining_from = static_cast<int>(row.Int("draining_from"));
  return cell;
}

std::vector<CellRecord> ReadCells(Session& session) {
  std::vector<CellRecord> cells;
  for (const auto row : session.Run("ListCells")) cells.push_back(ReadCell(row));
  return cells;
}

std::vector<RouteConsumerRecord> ReadRouteConsumers(Session& session) {
  std::vector<RouteConsumerRecord> consumers;
  for (const auto row : session.Run("ListRouteConsumers")) {
    consumers.push_back({ConsumerId(row.Text("consumer_id")), row.Text("version"), row.Time("registered_at"),
                         row.Time("lease_expires_at"), row.Bool("lease_runs")});
  }
  return consumers;
}

std::vector<DomainRecord> ReadDomains(Session& session) {
  std::vector<DomainRecord> domains;
  for (const auto row : session.Run("ListDomains")) domains.push_back({row.Text("domain"), row.OptionalTime("expires_at")});
  return domains;
}

EgressPolicy ReadEgressPolicy(Session& session) {
  EgressPolicy policy;
  if (!session.Run("EgressTableExists")[0].Bool()) return policy;
  for (const auto row : session.Run("ReadEgress")) {
    // The table takes no other words; one of a later schema is the careful one here.
    policy.Set(row.Text("domain"), UnenforcedEgressNamed(row.View("unenforced")).value_or(UnenforcedEgress::kRefuse));
  }
  return policy;
}

}  // namespace baton
