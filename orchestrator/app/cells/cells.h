// The connected cells: their capacity, outstanding orders, and reports that are not stored yet. Memory only: cells
// report all of it again to a new leader.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "orchestrator/app/cells/cell_audit.h"
#include "orchestrator/app/cells/cell_link.h"
#include "orchestrator/app/cells/cell_ports.h"
#include "orchestrator/app/cells/cell_report_command.h"
#include "orchestrator/app/cells/epoch_reports.h"
#include "orchestrator/app/cells/output_asks.h"
#include "orchestrator/app/cells/placer.h"
#include "orchestrator/app/cells/stored_cell.h"
#include "orchestrator/app/leader/drive.h"
#include "orchestrator/app/leader/loop.h"
#include "orchestrator/app/leader/roller.h"
#include "orchestrator/model/fleet/egress.h"
#include "orchestrator/placement/place.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "orchestrator/ports/reader.h"
#include "orchestrator/ports/registry.h"

namespace baton {

class Cells {
 public:
  struct Timing {
    Duration heartbeat = seconds(1);
    Duration lease = seconds(10);
    Duration stop_grace = seconds(10);
    Duration claim = seconds(5);  // a cell that was asked to run an instance has so long before another is asked
  };
  // `auctioneer` null: batond places instances by itself.
  Cells(Roller& roller, Loop& loop, Reads& reads, Registry& registry, Auctioneer* auctioneer, Log& log,
        Metrics& metrics, Timing timing);
  // Called on the loop when a cell's lease has ended; convergence then judges whether the cell is lost. Set before the
  // first call.
  void OnSilent(std::function<void()> told) { on_silent_ = std::move(told); }
  // Cells have obeyed a later leader of this store than this one, `own`: told on the loop. Before the first call.
  void OnLaterEpoch(std::function<void(std::int64_t own, std::int64_t theirs)> told) {
    on_later_epoch_ = std::move(told);
  }

  // --- From the transport, from any thread.
  void Connected(std::shared_ptr<CellLink> link, CellGreeting greeting);
  void Heard(const CellId& cell, const CellLink* link);
  // `unreadable`: the refusals of those that could not be read.
  void Reported(const CellId& cell, const CellLink* link, std::vector<CellReport> reports,
                std::vector<ReportAnswer> unreadable = {});
  void Disconnected(const CellId& cell, const CellLink* link);
  void Wrote(const CellId& cell, CellOutput output) { loop_.Post([=, this] { output_.Answer(cell, output); }); }

  // --- On the loop.
  void Lead(std::int64_t epoch, StoreIdentity store);
  void Follow();
  void Place(const PlacementRequest& request, Loop::Steady::time_point asked_at) { placer_.Place(request, asked_at); }
  void Stop(const StopRequest& request);
  // From any thread.
  const OpenOrders& open_orders() const { return placer_.open_orders(); }
  // From any thread: the host ports that it registered with. Nothing: it has not said, or is not there.
  std::optional<PortSpan> PortsOf(const CellId& cell) const { return ports_.Of(cell); }
  void SetEgress(EgressPolicy egress) { placer_.SetEgress(std::move(egress)); }
  const EgressPolicy& egress() const { return placer_.egress(); }

  // From any thread: an operator's wish. Stored, then followed: the cell's apps are looked at.
  void SetDraining(const CellId& cell, bool draining, const AuditEntry& audited, std::function<void(const Status&)> done);
  // From any thread: the apps on this cell are looked at; now, and again when the database's clock has caught up.
  void WakeAppsOn(const CellId& cell);
  // What each connected cell offers, for plans. `done` is called on the loop.
  void AllOffers(const ProcessGuid& guid, std::function<void(std::vector<CellOffer>)> done);

  CellAudit& audit() { return audit_; }

  // From any thread: what an instance on this cell wrote. `done` is called on the loop.
  void AskOutput(const CellId& cell, OutputAsk ask, OutputAsks::Done done);

  // For lists: what is free by the leader's account, and who is connected. `done` is called on the loop.
  struct View {
    Resources free;
    bool connected = false;
    std::string held_off;  // why it is given nothing new although it is connected
  };
  void Views(std::function<void(std::map<CellId, View>)> done);

 private:
  class ReportedFact;
  struct Cell {
    CellRecord record;
    std::shared_ptr<CellLink> link;
    std::string directory_id;
    std::string key;
    Loop::Steady::time_point last_heard;
    bool lapsed = false;    // its lease ended, and its apps were woken
    std::optional<bool> draining_said;  // since it connected: its row may have been read before
    std::vector<ReportAnswer> answers;  // for the link; not sent yet
  };
  Cell* Find(const CellId& id, const CellLink* link);
  // Another cell of this name is there, and heard of; or it cannot be told from another.
  bool Clashes(const CellGreeting& greeting) const;
  // Whether this leader may have it.
  Status Admit(const CellGreeting& greeting);
  void NoteLaterEpoch(const CellId& cell, std::int64_t later_epoch);
  // The stream that a report came on: nobody but its other end knows what the report's id stands for.
  using Stream = std::weak_ptr<CellLink>;
  void Accept(Cell& cell, const Stream& stream, const CellReport& report);
  void Settle(const CellId& cell, const Stream& stream, const CellReport& report, const Status& status,
              const ReportedStart& start);
  // Answers that are there at the same time go out in one message.
  void Answer(const CellId& cell, const Stream& stream, ReportAnswer answer);
  void SendAnswers();
  // After all that was said to the cell before. It is connected.
  void Send(Cell& cell, CellOrders orders);
  void Reconcile(const CellId& cell, const std::vector<CellInstanceView>& instances);
  void Compare(const CellId& cell, const std::vector<CellInstanceView>& instances, const StoredCell& stored);
  void KnowAbsentCells();
  void Tick(int life);
  void Lapse(const CellId& id);

  Roller& roller_;
  Loop& loop_;
  Reads& reads_;
  Registry& registry_;
  Log& log_;
  Metrics& metrics_;
  Timing timing_;
  bool leading_ = false;
  int life_ = 0;
  std::int64_t epoch_ = 0;
  StoreIdentity store_;
  EpochReports later_epochs_;
  bool knows_cells_ = false;  // those that are registered were read in this reign
  std::map<CellId, Cell> cells_;
  bool answers_due_ = false;  // SendAnswers is posted
  CellPorts ports_;
  Placer placer_;
  CellAudit audit_;
  OutputAsks output_{loop_};
  std::function<void()> on_silent_;
  std::function<void(std::int64_t, std::int64_t)> on_later_epoch_;
};

}  // namespace baton
