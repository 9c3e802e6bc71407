#include "tests/sim/starts.h"

#include <algorithm>

namespace baton::sim {

std::string Starts::Committed(const std::string& name, const AppState& app, const AppChanges& changes) {
  for (const ActualId& id : changes.removed) rows_.erase(id);
  for (const ActualId& id : changes.changed) {
    OfRow& row = rows_[id];
    const InstanceGuid& now = app.actuals.at(id).instance_guid;
    if (now == row.now) continue;
    if (std::ranges::count(row.over, now) > 0) {
      return "I31 after " + name + ": " + id.str() + " of " + app.guid.str() + " is " + now.str() +
             "'s again, which is over";
    }
    if (!row.now.empty()) row.over.push_back(row.now);
    if (row.over.size() > kEndedStartsMax) row.over.pop_front();
    row.now = now;
  }
  return "";
}

}  // namespace baton::sim
