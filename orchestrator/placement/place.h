// Which cell takes an instance. Pure: constraints first (what the cell can enact, stack, tags, room), then the app's spread
// over zones, then over cells, then away from the slot's old instance, then the least loaded.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/model/definition.h"
#include "orchestrator/model/id.h"

namespace baton {

struct CellOffer {
  CellId id;
  std::string zone;
  Resources free;  // orders in flight taken off
  bool pids_limited = false;
  std::vector<std::string> stacks;
  std::vector<std::string> placement_tags;
  std::vector<std::string> abilities;
  int host_ports = 0;        // that it has for instances; 0: not told, not counted
  int free_ports = 0;        // of them
  int instances = 0;         // in all
  int instances_of_app = 0;  // of the app that asks, without those that are about to go
  bool draining = false;
  std::string held_off;  // why it is given nothing new for a while
  std::string refused;   // it was asked for this very instance, and said why not
};

struct Placement {
  std::optional<CellId> cell;
  // Where no cell takes it: why, with the numbers of each cell ("cell-3: needs 1024 MB of memory, has 512").
  std::string error;
};

// Of the app that asks, on each cell: instances that are about to go, and so take no part in its spread.
using Leaving = std::map<CellId, int>;

// `avoid`: of cells where the app would be spread as well, the one that is taken last; empty: none.
Placement Place(const Definition& definition, const CellId& avoid, const std::vector<CellOffer>& cells);

// Why this cell cannot take it; empty: it can.
std::string WhyNot(const Definition& definition, const CellOffer& cell);

}  // namespace baton
