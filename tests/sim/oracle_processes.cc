// What may never be true of the processes on cells.
#include "tests/sim/cell.h"
#include "tests/sim/leader.h"
#include "tests/sim/oracle.h"
#include "tests/sim/world.h"

namespace baton::sim {

void Oracle::BeforeStart(const ProcessGuid& guid, int index) {
  for (const auto& cell : world_.cells()) {
    if (cell->Room() < 0) world_.Broken("capacity: " + cell->id().str() + " runs more than it has room for");
  }
  const auto& desired = world_.store().app(guid).desired;
  if (!desired || desired->strategy.mode != Mode::kRecreate) return;
  for (const auto& cell : world_.cells()) {
    for (const auto& [id, proc] : cell->procs()) {
      // One of a time when the app might run twice, on a cell that is lost, has no row any more: nobody can wait for
      // it.
      if (!proc.recreate) continue;
      if (proc.guid == guid && proc.index == index && proc.state != Cell::State::kClaiming) {
        world_.Broken("RECREATE: slot " + std::to_string(index) + " of " + guid.str() + " would run twice: " +
                      id.str() + " on " + cell->id().str() + " is " + std::to_string(static_cast<int>(proc.state)));
      }
    }
  }
}

// Every process is some row's: a report of another start of the instance would have let it be forgotten (I31).
void Oracle::CheckProcesses() {
  for (const auto& cell : world_.cells()) {
    for (const auto& [id, proc] : cell->procs()) {
      if (world_.LeadershipOf(proc.guid).away()) continue;
      const auto& rows = world_.store().app(proc.guid).actuals;
      const auto row = rows.find(id);
      if (row == rows.end() || (MayRun(row->second) && row->second.instance_guid != proc.instance_guid)) {
        world_.Broken("I31 at the end: " + cell->id().str() + " runs " + proc.instance_guid.str() +
                      ", which is nobody's");
      }
    }
  }
}

}  // namespace baton::sim
