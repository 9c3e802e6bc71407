#include "tests/sim/starts.h"

namespace baton::sim {

std::string Starts::Committed(const std::string& name, const AppState& app, const AppChanges& changes) {
  for (const ActualId& id : changes.removed) rows_.erase(id);
  for (const ActualId& id : changes.changed) {
    OfRow& row = rows_[id];
    const InstanceGuid& now = app.actuals.at(id).instance_guid;
    if (now == row.now) continue;
    if (row.over.contains(now)) {
      return "I31 after " + name + ": " + id.str() + " of " + app.guid.str() + " is " + now.str() +
             "'s again, which is over";
    }
    if (!row.now.empty()) row.over.insert(row.now);
    row.now = now;
  }
  return "";
}

}  // namespace baton::sim
