#include "sql/registry_reader.h"

namespace baton {

CellRecord ReadCell(const Rows::Row& row) {
  CellRecord cell;
  cell.id = CellId(row.Text(0));
  cell.zone = row.Text(1);
  cell.address = row.Text(2);
  cell.capacity = {row.Int(3), row.Int(4), row.Int(5), row.Int(6)};
  cell.stacks = row.Array(7);
  cell.placement_tags = row.Array(8);
  cell.abilities = row.Array(9);
  cell.enforces = row.Array(10);
  cell.version = row.Text(11);
  cell.draining = row.Bool(12);
  cell.lease_expires_at = row.Time(13);
  cell.lease_runs = row.Bool(14);
  cell.instances = static_cast<int>(row.Int(15));
  cell.epoch = row.Int(16);
  cell.present_since = row.OptionalTime(17);
  cell.missing_since = row.OptionalTime(18);
  cell.losses = static_cast<int>(row.Int(19));
  cell.draining_since = row.OptionalTime(20);
  cell.draining_from = static_cast<int>(row.Int(21));
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
    consumers.push_back({ConsumerId(row.Text(0)), row.Text(1), row.Time(2), row.Time(3), row.Bool(4)});
  }
  return consumers;
}

std::vector<DomainRecord> ReadDomains(Session& session) {
  std::vector<DomainRecord> domains;
  for (const auto row : session.Run("ListDomains")) domains.push_back({row.Text(0), row.OptionalTime(1)});
  return domains;
}

EgressPolicy ReadEgressPolicy(Session& session) {
  EgressPolicy policy;
  if (!session.Run("EgressTableExists")[0].Bool(0)) return policy;
  for (const auto row : session.Run("ReadEgress")) {
    // The table takes no other words; one of a later schema is the careful one here.
    policy.Set(row.Text(0), UnenforcedEgressNamed(row.View(1)).value_or(UnenforcedEgress::kRefuse));
  }
  return policy;
}

}  // namespace baton
