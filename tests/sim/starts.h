// Which starts the rows have had, by what was committed: one that is over never has its row again (I31).
#pragma once

#include <map>
#include <set>
#include <string>

#include "orchestrator/model/app_edit.h"

namespace baton::sim {

class Starts {
 public:
  // Empty: it is so after this commit, too; else what is not.
  std::string Committed(const std::string& name, const AppState& app, const AppChanges& changes);

 private:
  struct OfRow {
    InstanceGuid now;  // empty: none
    std::set<InstanceGuid> over;
  };
  std::map<ActualId, OfRow> rows_;
};

}  // namespace baton::sim
