#include "orchestrator/model/actual_lrp.h"

#include <algorithm>
#include <utility>

namespace baton {

void EndStart(ActualLrp& row) {
  if (!row.instance_guid.empty()) row.ended_starts.push_back(std::exchange(row.instance_guid, InstanceGuid()));
  if (row.ended_starts.size() > kEndedStartsMax) row.ended_starts.erase(row.ended_starts.begin());
  row.cell_id = CellId();
  row.net_info = NetInfo();
  row.labels = Labels();
  row.routable = false;
  row.routable_since.reset();
  row.claimed_at.reset();
  row.retire_asked = false;
  row.applied_by.clear();
  row.drained_by.clear();
}

bool HasEnded(const ActualLrp& lrp, const InstanceGuid& start) {
  return std::ranges::find(lrp.ended_starts, start) != lrp.ended_starts.end();
}

}  // namespace baton
