// Which instances of an app to replace so that it is spread as Place (place.h) would spread it now: over zones first,
// then over the cells of a zone. Pure.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/placement/place.h"

namespace baton {

struct Move {
  std::size_t seat = 0;  // which of the seats
  CellId to;             // where Place would put its replacement if no other cell changed
  std::string why;       // "zone z1 has 3 of its instances, z2 has 1"
};

struct Moves {
  std::vector<Move> moves;  // each brings two zones nearer to each other, or two cells and no zones apart; at most `most`
  bool more = false;        // `most` were found, and it is not even yet
  std::string blocked;      // it is uneven and nothing can be moved: why, for each cell with fewer; empty: it is even
};

// `seats`: for each instance the cell that it runs on, one of `cells`, whose own instances_of_app are not looked at.
// `definition`: what replacements are started from. A replacement needs room beside the instance that it replaces, so
// what a move frees is not counted.
Moves PlanMoves(const Definition& definition, const std::vector<CellId>& seats, std::vector<CellOffer> cells, int most);

}  // namespace baton
