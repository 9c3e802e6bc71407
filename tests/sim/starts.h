// Which starts the rows have had, by what was committed: one of the last that are over never has its row again (I31). A
// row knows kEndedStartsMax of them.
#pragma once

#include <deque>
#include <map>
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
    std::deque<InstanceGuid> over;  // the latest last
  };
  std::map<ActualId, OfRow> rows_;
};

}  // namespace baton::sim
