// Driving one app: a use case, then the planner on the same rows, and what is to be told to the outside
// afterwards. Everything told is read off rows, so telling it again does no harm and forgetting it costs a tick.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/model/app_edit.h"
#include "orchestrator/placement/place.h"
#include "orchestrator/ports/store.h"
#include "orchestrator/roll/plan.h"

namespace baton {

// An UNCLAIMED instance that wants a cell.
struct PlacementRequest {
  ActualId id;
  ProcessGuid guid;
  std::string domain;
  std::int64_t incarnation = 0;
  int index = 0;
  Definition definition;
  Duration start_timeout{0};
  CellId avoid;                 // holds the slot's old instance: another cell is better
  std::shared_ptr<const Leaving> leaving;  // read off the rows; null: nothing leaves
  std::string placement_error;  // what the row says already
};

// An instance that is to stop.
struct StopRequest {
  ActualId id;
  InstanceGuid instance_guid;
  CellId cell_id;
};

// Instances of the app that run and are about to go, on each cell: what retires, evacuates or is asked to retire, and what
// holds a slot whose next instance waits for a cell. What a roll is going to replace later counts for now: in the
// midst of a roll the app is spread, too, and a machine that dies then takes no more than its share.
// Of an app as a pass has left it: none of these is in a quiet slot.
Leaving LeavingOf(const AppState& app);

// What the planner left to do outside of the rows.
struct Effects {
  ProcessGuid guid;
  Plan plan;
  std::vector<PlacementRequest> to_place;
  std::vector<StopRequest> to_stop;
  bool roll_open = false;
  std::chrono::steady_clock::time_point asked_at{};  // the rows were read later
};

// The planner, after what was asked of the app has been decided, and what it leaves to do. Its own steps are logged
// under "baton", whoever asked.
Effects RunPlanner(AppEdit& edit);

}  // namespace baton
