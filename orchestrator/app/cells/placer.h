// The state of placement: capacity held on each cell, unanswered orders, and instances that wait for capacity. On the
// leader's loop. Memory only: cells report it again to a new leader.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "orchestrator/app/cells/cell_link.h"
#include "orchestrator/app/cells/open_orders.h"
#include "orchestrator/app/leader/drive.h"
#include "orchestrator/app/leader/loop.h"
#include "orchestrator/app/leader/roller.h"
#include "orchestrator/model/fleet/egress.h"
#include "orchestrator/placement/fleet.h"
#include "orchestrator/placement/refusals.h"
#include "orchestrator/ports/auctioneer.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"

namespace baton {

class Placer {
 public:
  using Order = std::function<void(const CellId&, RunInstance)>;
  // `auctioneer` null: it decides by itself.
  Placer(Roller& roller, Loop& loop, Auctioneer* auctioneer, Log& log, Metrics& metrics, Duration claim_time,
         Order order);

  void Clear();
  // From here on; what waits for a cell is looked at again at once.
  void SetEgress(EgressPolicy egress);
  const EgressPolicy& egress() const { return egress_; }
  // The cell is given orders from here on, unless it drains, or came back only lately from being lost once more.
  void Open(const CellRecord& record, Duration steady);
  // Sends no more orders to the cell. Its unclaimed orders go to other cells at once.
  void Close(const CellId& cell);
  bool IsOpen(const CellId& cell) const { return standings_.contains(cell); }
  // `asked_at`: it was read off the rows after that. Where its claim was heard of later, the app is looked at again
  // instead.
  void Place(const PlacementRequest& request, Loop::Steady::time_point asked_at);

  void Hold(const CellId& cell, const ActualId& id, const ProcessGuid& guid, const Resources& resources, int ports,
            Fleet::Word word) {
    fleet_.Hold(cell, id, guid, resources, ports, word);
  }
  bool Confirm(const CellId& cell, const ActualId& id, const ProcessGuid& guid) { return fleet_.Confirm(cell, id, guid); }
  void ReleaseAll(const CellId& cell) { fleet_.ReleaseAll(cell); }
  // It runs there no more, or never did: there is room now.
  void Release(const CellId& cell, const ActualId& id);
  // The cell was told to run it, and has not answered.
  bool HasOrdered(const CellId& cell, const ActualId& id) const {
    const auto order = orders_.find(id);
    return order != orders_.end() && order->second.cell == cell;
  }
  // What the cell said of an order, or of what it claimed.
  void Claimed(const CellId& cell, const ActualId& id);
  // Its claim was refused, which was of an order before the one that is out by now: the cell takes the two for one and forgets both.
  void ClaimRefused(const CellId& cell, const ActualId& id);
  void Started(const CellId& cell, const ActualId& id);
  void Ended(const CellId& cell, const ActualId& id);
  void Rejected(const CellId& cell, const ActualId& id, const std::string& why, Lack lack);

  // For an audit: as Fleet's.
  void BeginAudit() { fleet_.BeginAudit(); }
  bool See(const CellId& cell, const ActualId& id) { return fleet_.See(cell, id); }
  const Fleet& fleet() const { return fleet_; }
  // For other threads.
  const OpenOrders& open_orders() const { return open_orders_; }
  // Why the cell is given nothing new although it is connected; empty: it is given instances.
  std::string HeldOff(const CellId& cell) const;

 private:
  struct Outstanding {
    CellId cell;
    Asked asked;
    Loop::Steady::time_point until;
  };
  struct Starting {
    CellId cell;
    Asked asked;
    Loop::Steady::time_point since;
  };
  struct Standing {
    CellRecord record;
    std::string held_off;
    int holds = 0;  // of them, the latest counts
  };
  void HoldOffFor(const CellId& cell, Duration duration, std::string why);
  void SetOffer(const Standing& standing);
  // False: it has an order that the cell has time to answer yet.
  bool IsFree(const PlacementRequest& request);
  // Asks less of cells: they need not enforce its egress rules. Nothing where they have to, or there are none.
  std::optional<PlacementRequest> Eased(const PlacementRequest& request) const;
  // Cells that enforce its egress rules come first.
  Placement Choose(const PlacementRequest& request, const Definition& strict, const Fleet::Refused& refused) const;
  void Follow(const PlacementRequest& request, const Result<Placement>& placement);
  void NoCell(const PlacementRequest& request, const Asked& asked, const std::string& error);
  std::string WhyItWaits(const PlacementRequest& request, const Asked& asked) const;
  void AddOrder(const ActualId& id, Outstanding order);
  // Of this cell alone: another's is not touched by what this one says.
  void ForgetStarting(const CellId& cell, const ActualId& id);
  // Nothing where there is none. One that was not answered may be yet.
  enum class Answered { kYes, kNo };
  std::optional<Asked> DropOrder(const ActualId& id, Answered answered);
  int UnderWay(const Asked& asked) const;
  void AskAgainLater(const Asked& asked);
  // There may be room for all that wait; for what this cell could take.
  void TryWaiting();
  void TryWaitingFor(const CellId& cell);

  Roller& roller_;
  Loop& loop_;
  Auctioneer* auctioneer_;
  Log& log_;
  Metrics& metrics_;
  const Duration claim_time_;
  EgressPolicy egress_;
  Order order_;
  int life_ = 0;
  Fleet fleet_;
  std::map<CellId, Standing> standings_;  // cells that are open
  std::unordered_map<ActualId, Outstanding> orders_;
  OpenOrders open_orders_;  // the same
  std::map<Asked, int> under_way_;       // orders and auctions
  std::unordered_map<ActualId, Starting> starting_;  // claimed, and not seen to run yet
  std::map<Asked, Definition> waiting_;  // for which no cell was found
  std::map<Asked, TimePoint> alarms_;    // when it is tried again
  Refusals refusals_;
  Complaints complaints_;
  std::set<ActualId> auctions_;  // the auctioneer decides just now
};

}  // namespace baton
