// An external service that chooses the cell for an instance. Without one, batond chooses (placement/fleet.h).
#pragma once

#include <functional>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/definition.h"
#include "orchestrator/model/id.h"
#include "orchestrator/placement/place.h"

namespace baton {

struct Auction {
  ActualId id;
  ProcessGuid guid;
  int index = 0;
  Definition definition;
  CellId avoid;                   // holds the slot's old instance: another cell is better
  std::vector<CellOffer> offers;  // all cells that are connected, those too that cannot take it
};

class Auctioneer {
 public:
  virtual ~Auctioneer() = default;
  // Never blocks. `done` is called once, on a thread of the auctioneer: a cell, or why none; an error where it does not
  // answer in time. What it decides is checked against the offers of that moment.
  virtual void Decide(Auction auction, std::function<void(Result<Placement>)> done) = 0;
};

}  // namespace baton
