#include "orchestrator/app/cells.h"

#include <algorithm>
#include <utility>

#include "orchestrator/app/cell_report_call.h"
#include "orchestrator/app/lifecycle.h"

namespace baton {
namespace {

// A cell that was asked has so long to claim before another is asked.
constexpr Duration kClaimTime = seconds(5);

bool EndsHere(const CellReport& report) {
  return std::holds_alternative<Crashed>(report.fact) || std::holds_alternative<Stopped>(report.fact) ||
         std::holds_alternative<Rejected>(report.fact);
}

}  // namespace

Cells::Cells(Roller& roller, Loop& loop, Reads& reads, Registry& registry, Log& log, Metrics& metrics, Timing timing)
    : roller_(roller), loop_(loop), reads_(reads), registry_(registry), log_(log), metrics_(metrics), timing_(timing) {}

void Cells::Lead(std::int64_t epoch) {
  leading_ = true;
  epoch_ = epoch;
  Tick(++life_);
  KnowAbsentCells();
}

void Cells::Follow() {
  leading_ = false;
  ++life_;
  for (auto& [id, cell] : cells_) {
    if (cell.link) cell.link->End("this batond leads no more");
  }
  cells_.clear();
  offers_.clear();
  waiting_.clear();
  rejected_.clear();
}

Cells::Cell* Cells::Find(const CellId& id, const CellLink* link) {
  const auto at = cells_.find(id);
  return at == cells_.end() || at->second.link.get() != link ? nullptr : &at->second;
}

void Cells::Connected(std::shared_ptr<CellLink> link, CellGreeting greeting) {
  loop_.Post([this, link = std::move(link), greeting = std::move(greeting)] {
    if (!leading_) return link->End("this batond does not lead");
    if (greeting.highest_epoch > epoch_) {
      // Somebody led after us: our own epoch is not to be trusted (a restored database).
      log_.Error("cell_knows_a_higher_epoch",
                 {{"cell", greeting.record.id.str()}, {"epoch", epoch_}, {"theirs", greeting.highest_epoch}});
      return link->End("the cell has seen epoch " + std::to_string(greeting.highest_epoch) + ", this leader's is " +
                       std::to_string(epoch_));
    }
    Cell& cell = cells_[greeting.record.id];
    if (cell.link) cell.link->End("the cell connected again");
    cell.record = greeting.record;
    cell.link = link;
    cell.last_heard = Loop::Steady::now();
    cell.compared = false;
    cell.lapsed = false;
    cell.held.clear();
    for (const auto& instance : greeting.instances) cell.held[instance.id] = {instance.guid, instance.resources};
    log_.Info("cell_connected", {{"cell", greeting.record.id.str()}, {"instances", greeting.instances.size()}});
    CellOrders welcome{.epoch = epoch_, .welcome_heartbeat = timing_.heartbeat, .lease = timing_.lease};
    link->Send(std::move(welcome));
    const CellId id = greeting.record.id;
    registry_.RegisterCell(cell.record, timing_.lease,
                           [this, id, instances = greeting.instances](const Status& status) {
                             loop_.Post([this, id, instances, status] {
                               if (!status) {
                                 if (const auto at = cells_.find(id); at != cells_.end() && at->second.link) {
                                   at->second.link->End("the cell could not be registered: " + status.error().message);
                                 }
                                 return;
                               }
                               Reconcile(id, instances);
                             });
                           });
  });
}

void Cells::Heard(const CellId& id, const CellLink* link) {
  loop_.Post([this, id, link] {
    if (Cell* cell = Find(id, link)) cell->last_heard = Loop::Steady::now();
  });
}

void Cells::Disconnected(const CellId& id, const CellLink* link) {
  loop_.Post([this, id, link] {
    Cell* cell = Find(id, link);
    if (!cell) return;
    log_.Warn("cell_disconnected", {{"cell", id.str()}});
    cell->link.reset();
    // What it was asked and has not claimed is asked of others at once.
    for (auto at = offers_.begin(); at != offers_.end();)
      at = at->second.cell == id ? offers_.erase(at) : std::next(at);
  });
}

Resources Cells::Free(const Cell& cell) const {
  Resources free = cell.record.capacity;
  for (const auto& [id, held] : cell.held) {
    free.memory_mb -= held.resources.memory_mb;
    free.disk_mb -= held.resources.disk_mb;
    free.pids -= held.resources.pids;
    free.containers -= 1;
  }
  return free;
}

void Cells::AllOffers(const ProcessGuid& guid, std::function<void(std::vector<CellOffer>)> done) {
  loop_.Post([this, guid, done = std::move(done)] {
    PlacementRequest request;
    request.guid = guid;
    done(Offers(request));
  });
}

std::vector<CellOffer> Cells::Offers(const PlacementRequest& request) const {
  std::vector<CellOffer> offers;
  const auto rejected = rejected_.find(request.id);
  for (const auto& [id, cell] : cells_) {
    if (!cell.link || !cell.compared) continue;
    CellOffer offer;
    if (rejected != rejected_.end() && rejected->second.contains(id)) offer.refused = rejected->second.at(id);
    offer.id = id;
    offer.zone = cell.record.zone;
    offer.free = Free(cell);
    offer.pids_limited = cell.record.capacity.pids > 0;
    offer.stacks = cell.record.stacks;
    offer.placement_tags = cell.record.placement_tags;
    offer.abilities = cell.record.abilities;
    offer.draining = cell.record.draining;
    offer.instances = static_cast<int>(cell.held.size());
    offer.instances_of_app = static_cast<int>(
        std::ranges::count_if(cell.held, [&](const auto& held) { return held.second.guid == request.guid; }));
    offers.push_back(std::move(offer));
  }
  return offers;
}

void Cells::Place(const PlacementRequest& request) {
  const auto now = Loop::Steady::now();
  if (const auto offer = offers_.find(request.id); offer != offers_.end() && offer->second.until > now) return;
  const Placement placement = baton::Place(request.definition, request.avoid, Offers(request));
  if (!placement.cell) {
    waiting_[request.id] = request.guid;
    rejected_.erase(request.id);  // who could not a while ago, may be able to by now
    if (request.placement_error == CutReason(placement.error)) return;  // the row says so already
    metrics_.Count("baton_placement_errors_total");
    Call call{.name = "placement_error", .guid = request.guid, .instance = request.id, .actor = "baton"};
    call.decide = [id = request.id, error = placement.error](AppEdit& edit) {
      return DecidePlacementError(edit, id, error);
    };
    roller_.DoInstance(std::move(call), /*wake=*/true);
    return;
  }
  waiting_.erase(request.id);
  if (const auto old = offers_.find(request.id); old != offers_.end()) {  // who was asked did not claim it in time
    if (const auto late = cells_.find(old->second.cell); late != cells_.end()) late->second.held.erase(request.id);
  }
  Cell& cell = cells_.at(*placement.cell);
  cell.held[request.id] = {request.guid, request.definition.resources};
  offers_[request.id] = {*placement.cell, now + kClaimTime};
  CellOrders orders{.epoch = epoch_};
  orders.run.push_back({request.id, request.guid, request.domain, request.incarnation, request.index,
                        request.definition, request.start_timeout});
  cell.link->Send(std::move(orders));
}

void Cells::Stop(const StopRequest& request) {
  const auto at = cells_.find(request.cell_id);
  if (at == cells_.end() || !at->second.link) return;  // told when it connects: its rows are compared then
  CellOrders orders{.epoch = epoch_};
  orders.stop.push_back({request.id, request.instance_guid, timing_.stop_grace});
  at->second.link->Send(std::move(orders));
}

void Cells::Reported(const CellId& id, const CellLink* link, std::vector<CellReport> reports) {
  loop_.Post([this, id, link, reports = std::move(reports)] {
    Cell* cell = Find(id, link);
    if (!cell) return;
    cell->last_heard = Loop::Steady::now();
    for (const CellReport& report : reports) Accept(*cell, report);
  });
}

void Cells::Accept(Cell& cell, const CellReport& report) {
  metrics_.Count("baton_cell_reports_total");
  const CellId id = cell.record.id;
  const auto held = cell.held.find(report.id);
  if (held == cell.held.end()) {
    // Neither running there nor ordered there as far as the leader knows. A row may still say so.
    reads_.Run([this, id, report](Result<Reader*> reader) {
      Result<std::vector<ActualRead>> rows = reader ? (*reader)->ListActuals({.cell = id}, {}, {}, 100000)
                                                    : Result<std::vector<ActualRead>>(reader.error());
      loop_.Post([this, id, report, rows = std::move(rows)] {
        const auto at = cells_.find(id);
        if (at == cells_.end()) return;
        if (!rows) return Answer(id, {report.report_id, ReportOutcome::kRetry, rows.error().message});
        const auto row = std::ranges::find(*rows, report.id, [](const ActualRead& read) { return read.lrp.id; });
        if (row == rows->end()) {
          return Answer(id, {report.report_id, ReportOutcome::kRefused, "no instance of this id is on this cell"});
        }
        at->second.held[report.id] = {row->guid, {}};
        Accept(at->second, report);
      });
    });
    return;
  }
  Call call = CallFor(id, report);
  call.guid = held->second.guid;
  call.done = [this, id, report](const Status& status) {
    loop_.Post([this, id, report, status] { Settle(id, report, status); });
  };
  const bool wake = std::holds_alternative<Started>(report.fact) || std::holds_alternative<Rejected>(report.fact);
  call.instance ? roller_.DoInstance(std::move(call), wake) : roller_.Do(std::move(call));
}

// The rows have spoken.
void Cells::Settle(const CellId& id, const CellReport& report, const Status& status) {
  ReportAnswer answer{report.report_id, ReportOutcome::kApplied, ""};
  if (!status) {
    const bool later =
        status.error().kind == ErrorKind::kUnavailable || status.error().kind == ErrorKind::kResourceExhausted;
    answer = {report.report_id, later ? ReportOutcome::kRetry : ReportOutcome::kRefused, status.error().message};
  }
  const auto at = cells_.find(id);
  if (answer.outcome != ReportOutcome::kRetry) {
    if (std::holds_alternative<Claimed>(report.fact) || EndsHere(report)) offers_.erase(report.id);
    if (std::holds_alternative<Claimed>(report.fact)) rejected_.erase(report.id);
    if (std::holds_alternative<Rejected>(report.fact)) {
      log_.Warn(
          "cell_rejects",
          {{"cell", id.str()}, {"actual_id", report.id.str()}, {"reason", std::get<Rejected>(report.fact).reason}});
      rejected_[report.id][id] = std::get<Rejected>(report.fact).reason;
    }
    const bool gone = EndsHere(report) || answer.outcome == ReportOutcome::kRefused;
    if (gone && at != cells_.end()) {
      at->second.held.erase(report.id);
      TryWaiting();  // there is room now
    }
  }
  Answer(id, std::move(answer));
}

void Cells::Answer(const CellId& id, ReportAnswer answer) {
  const auto at = cells_.find(id);
  if (at == cells_.end() || !at->second.link) return;
  CellOrders orders{.epoch = epoch_};
  orders.answers.push_back(std::move(answer));
  at->second.link->Send(std::move(orders));
}

void Cells::Reconcile(const CellId& id, const std::vector<CellInstanceView>& instances) {
  reads_.Run([this, id, instances](Result<Reader*> reader) {
    auto rows =
        reader ? (*reader)->ListActuals({.cell = id}, {}, {}, 100000) : Result<std::vector<ActualRead>>(reader.error());
    const auto cells = reader ? (*reader)->ListCells() : Result<std::vector<CellRecord>>(reader.error());
    if (rows && !cells) rows = cells.error();
    const bool draining =
        cells && std::ranges::any_of(*cells, [&](const CellRecord& cell) { return cell.id == id && cell.draining; });
    loop_.Post([this, id, instances, draining, rows = std::move(rows)] {
      if (rows) return Compare(id, instances, *rows, draining);
      if (const auto at = cells_.find(id); at != cells_.end() && at->second.link) {
        at->second.link->End("the rows could not be read: " + rows.error().message);
      }
    });
  });
}

void Cells::Compare(const CellId& id, const std::vector<CellInstanceView>& instances,
                    const std::vector<ActualRead>& rows, bool draining) {
  const auto at = cells_.find(id);
  if (at == cells_.end() || !at->second.link) return;
  at->second.record.draining = draining;
  std::map<ActualId, const CellInstanceView*> here;
  for (const auto& instance : instances) here[instance.id] = &instance;
  std::set<ActualId> known;
  for (const ActualRead& row : rows) {
    known.insert(row.lrp.id);
    const auto instance = here.find(row.lrp.id);
    if (instance != here.end() && instance->second->instance_guid == row.lrp.instance_guid) continue;
    // The row says that it runs here, and it does not: a rebooted machine, or a cell with another directory.
    const InstanceRef ref{row.lrp.id, row.lrp.instance_guid, id};
    Call call{.name = "forgotten", .guid = row.guid, .actor = id.str()};
    call.decide = [ref](AppEdit& edit) { return DecideForgotten(edit, ref); };
    roller_.Do(std::move(call));
    log_.Warn("instance_forgotten", {{"cell", id.str()}, {"app", row.guid.str()}, {"actual_id", row.lrp.id.str()}});
  }
  CellOrders orders{.epoch = epoch_};
  for (const auto& [actual, instance] : here) {
    // What it claims is decided when the claim is repeated; all else that no row knows has to go.
    if (known.contains(actual) || instance->claiming) continue;
    orders.stop.push_back({actual, instance->instance_guid, timing_.stop_grace});
  }
  if (!orders.stop.empty()) at->second.link->Send(std::move(orders));
  for (const ActualRead& row : rows) roller_.Wake(row.guid);
  at->second.compared = true;
  TryWaiting();
}

// There may be room now: the planner says which of them still want it.
void Cells::TryWaiting() {
  for (const auto& [id, guid] : std::exchange(waiting_, {})) roller_.Wake(guid);
}

// Cells that some earlier leader knew and that have not come to this one: their leases run out here as well.
void Cells::KnowAbsentCells() {
  reads_.Run([this, life = life_](Result<Reader*> reader) {
    const auto cells = reader ? (*reader)->ListCells() : Result<std::vector<CellRecord>>(reader.error());
    loop_.Post([this, life, cells] {
      if (life != life_) return;
      if (!cells)
        return loop_.After(seconds(1), [this, life] {
          if (life == life_) KnowAbsentCells();
        });
      for (const CellRecord& record : *cells) {
        if (cells_.contains(record.id)) continue;
        Cell& cell = cells_[record.id];
        cell.record = record;
        cell.last_heard = Loop::Steady::now();
        cell.lapsed = !record.lease_runs && record.instances == 0;
      }
    });
  });
}

void Cells::Tick(int life) {
  if (life != life_) return;
  std::vector<CellId> alive;
  for (auto& [id, cell] : cells_) {
    const Duration silent = std::chrono::duration_cast<Duration>(Loop::Steady::now() - cell.last_heard);
    if (cell.link && silent < timing_.lease) {
      alive.push_back(id);
    } else if (silent >= timing_.lease && !cell.lapsed) {
      cell.lapsed = true;
      if (cell.link) cell.link->End("no heartbeat for " + std::to_string(Millis(silent)) + " ms");
      cell.link.reset();
      Lapse(id);
    }
  }
  if (!alive.empty()) {
    registry_.Renew(std::move(alive), timing_.lease, {}, Duration(0), [this](const Status& status) {
      if (!status) log_.Warn("cell_leases_not_renewed", {{"error", status.error().message}});
    });
  }
  loop_.After(timing_.heartbeat, [this, life] { Tick(life); });
}

// A cell's lease ended: its apps have to be looked at.
void Cells::Lapse(const CellId& id) {
  log_.Warn("cell_lost", {{"cell", id.str()}});
  metrics_.Count("baton_cells_lost_total");
  WakeAppsOn(id);
}

void Cells::SetDraining(const CellId& id, bool draining, std::function<void(const Status&)> done) {
  registry_.SetDraining(id, draining, [this, id, draining, done = std::move(done)](const Status& status) {
    loop_.Post([this, id, draining, done, status] {
      if (status) {
        if (const auto at = cells_.find(id); at != cells_.end()) at->second.record.draining = draining;
        log_.Info(draining ? "cell_drains" : "cell_drains_no_more", {{"cell", id.str()}});
        WakeAppsOn(id);
        TryWaiting();
      }
      done(status);
    });
  });
}

void Cells::WakeAppsOn(const CellId& id) {
  reads_.Run([this, id](Result<Reader*> reader) {
    const auto apps = reader ? (*reader)->ListAppsOnCell(id) : Result<std::vector<ProcessGuid>>(reader.error());
    loop_.Post([this, id, apps] {
      if (!apps) return loop_.After(seconds(1), [this, id] { WakeAppsOn(id); });
      // The database's lease runs from its own clock; a moment later it has ended there as well.
      for (const ProcessGuid& guid : *apps) {
        roller_.Wake(guid);
        loop_.After(timing_.heartbeat * 2, [this, guid] { roller_.Wake(guid); });
      }
    });
  });
}

void Cells::Views(std::function<void(std::map<CellId, View>)> done) {
  loop_.Post([this, done = std::move(done)] {
    std::map<CellId, View> views;
    for (const auto& [id, cell] : cells_) views[id] = {Free(cell), cell.link != nullptr};
    done(std::move(views));
  });
}

}  // namespace baton
