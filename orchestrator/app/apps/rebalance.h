// RebalanceInstances: replaces unevenly spread instances, by the rules of RetireInstances. Pure.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/app_edit.h"
#include "orchestrator/placement/place.h"

namespace baton {

// How many instances one call moves at most where it does not say.
inline constexpr int kMovesMax = 10;
inline constexpr int kMovesInOneCall = 1000;

struct RebalanceWish {
  bool dry_run = false;  // say what would be done, and change nothing
  int most = kMovesMax;
};

struct MovedInstance {
  ActualId id;
  InstanceGuid start;  // the one that was asked to go
  int index = 0;
  CellId from;
  CellId to;  // where it would go as the cells are now; it is placed when its turn comes
  std::string why;
};

struct Rebalance {
  std::vector<MovedInstance> moved;
  std::string outcome;  // for people: what is done, or why nothing is
};

// Marks the instances that PlanMoves (placement/rebalance.h) names as RetireInstances does. Nothing is moved while a roll
// is open, while a slot is being changed, or where the strategy is RECREATE: `outcome` says so. `cells`: what each
// connected cell offers this app. NOT_FOUND: the app is not desired.
Status DecideRebalance(AppEdit& edit, const std::vector<CellOffer>& cells, const RebalanceWish& wish, Rebalance& out);

}  // namespace baton
