// What a cell that has come says it has, against the rows.
#include <map>
#include <set>

#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/app/cells/cells.h"

namespace baton {
namespace {

// The row says that it runs on this cell, and the cell does not know it.
class ForgottenInstance final : public AppCommand {
 public:
  ForgottenInstance(const ProcessGuid& guid, InstanceRef ref)
      : AppCommand({.name = "forgotten", .guid = guid, .actor = ref.cell_id.str()}), ref_(std::move(ref)) {}
  Status Decide(AppEdit& edit) override { return DecideForgotten(edit, ref_); }

 private:
  const InstanceRef ref_;
};

}  // namespace

void Cells::Reconcile(const CellId& id, const std::vector<CellInstanceView>& instances) {
  reads_.Run([this, id, instances](Result<Reader*> reader) {
    auto stored = reader ? ReadStoredCell(**reader, id) : Result<StoredCell>(reader.error());
    loop_.Post([this, id, instances, stored = std::move(stored)] {
      if (stored) return Compare(id, instances, *stored);
      if (const auto at = cells_.find(id); at != cells_.end() && at->second.link) {
        at->second.link->End("the rows could not be read: " + stored.error().message);
      }
    });
  });
}

void Cells::Compare(const CellId& id, const std::vector<CellInstanceView>& instances, const StoredCell& stored) {
  const auto at = cells_.find(id);
  if (at == cells_.end() || !at->second.link) return;
  const std::vector<ActualRead>& rows = stored.rows;
  CellRecord& record = at->second.record;
  const int host_ports = record.host_ports;  // what the rows do not have
  const auto ports = record.ports;
  record = stored.cell;
  record.draining = at->second.draining_said.value_or(record.draining);
  record.host_ports = host_ports;
  record.ports = ports;
  std::map<ActualId, const CellInstanceView*> here;
  for (const auto& instance : instances) here[instance.id] = &instance;
  std::set<ActualId> known;
  for (const ActualRead& row : rows) {
    known.insert(row.lrp.id);
    const auto instance = here.find(row.lrp.id);
    if (instance != here.end() && instance->second->instance_guid == row.lrp.instance_guid) {
      placer_.Confirm(id, row.lrp.id, row.guid);
      continue;
    }
    // The row says that it runs here, and it does not: a rebooted machine, or a cell with another directory.
    const InstanceRef ref{row.lrp.id, row.lrp.instance_guid, id};
    roller_.Do(std::make_unique<ForgottenInstance>(row.guid, ref));
    log_.Warn("instance_forgotten", {{"cell", id.str()}, {"app", row.guid.str()}, {"actual_id", row.lrp.id.str()}});
  }
  CellOrders orders;
  for (const auto& [actual, instance] : here) {
    // What it claims is decided when the claim is repeated; all else that no row knows has to go.
    if (known.contains(actual) || stored.unreadable.contains(actual) || instance->claiming) continue;
    orders.stop.push_back({actual, instance->instance_guid, timing_.stop_grace});
  }
  if (!orders.stop.empty()) Send(at->second, std::move(orders));
  for (const ActualRead& row : rows) roller_.WakeInTurn(row.guid);
  // The lease dates from this registration, so the registration time follows from it, by the database's clock.
  const TimePoint registered_at = stored.cell.lease_expires_at - timing_.lease;
  placer_.Open(at->second.record, registered_at - stored.cell.present_since.value_or(registered_at));
}

}  // namespace baton
