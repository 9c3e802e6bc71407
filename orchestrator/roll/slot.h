// A slot as the planner sees it: its rows by their part in it, and what it adds to the numbers that guards need.
#pragma once

#include <boost/container/flat_map.hpp>
#include <boost/container/small_vector.hpp>

#include "orchestrator/model/actual_lrp.h"
#include "orchestrator/model/roll.h"

namespace baton {

// What a slot adds to the board's numbers; kept to be taken off again.
struct SlotShare {
  int served = 0;
  int counted = 0;
  int stopping = 0;
  int trying = 0;
  int in_flight = 0;
  int towards = 0;
  int partial = 0;
  int replaced = 0;

  // Adds, or takes off, what so many such slots add.
  void Add(const SlotShare& share, int slots);
  bool operator==(const SlotShare&) const = default;
};

// All rows of one index of the present incarnation.
struct Slot {
  int index = 0;
  const ActualLrp* ordinary = nullptr;
  const ActualLrp* surge = nullptr;
  const ActualLrp* suspect = nullptr;
  const ActualLrp* evacuating = nullptr;
  // Most slots have none, or one row in all: nothing is allocated for them.
  boost::container::small_vector<const ActualLrp*, 1> retiring;

  // The board's own.
  boost::container::small_vector<const ActualLrp*, 2> rows;
  const SlotLog* log = nullptr;  // null: nothing is logged of it
  SlotShare share;
};

// By index, one after the other in memory: a pass looks at each of thousands several times.
using Slots = boost::container::flat_map<int, Slot>;

}  // namespace baton
