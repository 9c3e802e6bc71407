#include "orchestrator/routing/measured_apps.h"

namespace baton {

MeasuredApps::Change MeasuredApps::Set(const ProcessGuid& guid, bool open) {
  Change change;
  if (open) {
    if (measured_.contains(guid)) return change;
    if (measured_.size() >= kMost) {
      waiting_.insert(guid);
      return change;
    }
    measured_.insert(guid);
    change.measured.push_back(guid);
    return change;
  }
  waiting_.erase(guid);
  if (measured_.erase(guid) == 0) return change;
  change.unmeasured.push_back(guid);
  if (waiting_.empty()) return change;
  change.measured.push_back(*waiting_.begin());
  measured_.insert(waiting_.extract(waiting_.begin()));
  return change;
}

}  // namespace baton
