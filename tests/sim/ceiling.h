// How many rows an app may have after a commit that adds some (I2), in other words than the planner's.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "orchestrator/model/app_edit.h"

namespace baton::sim {

struct Ceiling {
  int rows = 0;  // instances + max_surge
  bool surges = true;
  bool recreate = false;
  bool floor_at_stake = false;  // before the commit
  bool count_stopping = true;
  Duration stop_timeout{0};
  TimePoint now;
  std::function<bool(const CellId&)> lost;  // the cell, as far as anybody knows at `now`
};

// What breaks it; nothing: it holds.
std::string CheckCeiling(const Ceiling& ceiling, const std::map<ActualId, ActualLrp>& before, const AppState& app,
                         const AppChanges& changes);

}  // namespace baton::sim
