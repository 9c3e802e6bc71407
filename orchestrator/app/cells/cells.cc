#include "orchestrator/app/cells/cells.h"

#include <algorithm>
#include <utility>

#include "orchestrator/access/cell_rules.h"
#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/app/cells/cell_report_command.h"
#include "orchestrator/base/errors.h"

namespace baton {
namespace {

constexpr std::size_t kAnswersMax = 1000;  // of a message

CellId CellOf(const AppState& app, const ActualId& id) {
  const auto at = app.actuals.find(id);
  return at == app.actuals.end() ? CellId() : at->second.cell_id;
}

// A claim, or a word about why there is none, is of who was asked for this very start: asked of the row as it is decided about, for
// what the leader remembers of a cell may be of a start before.
Status CheckOrdered(const AppState& app, const CellReport& report, const CellId& cell, const OpenOrders& orders) {
  const bool claims = std::holds_alternative<Claimed>(report.fact);
  const auto row = app.actuals.find(report.id);
  if ((!claims && !std::holds_alternative<Rejected>(report.fact)) || row == app.actuals.end()) return Done{};
  const CellStanding by{.cell = cell, .ordered = orders.IsOf(report.id, cell)};
  if (claims ? MayClaim(row->second, report.instance_guid, by) : MayReject(row->second, by)) return Done{};
  return Error{ErrorKind::kFailedPrecondition, "actual_id " + report.id.str() + " was not ordered of cell " + cell.str(), {}};
}

}  // namespace

// A report on its way to the rows; what they say of it goes back to the loop.
class Cells::ReportedFact final : public CellReportCommand {
 public:
  ReportedFact(Cells& cells, const ProcessGuid& guid, const CellId& cell, Stream stream, const CellReport& report)
      : CellReportCommand(guid, cell, report), cells_(cells), stream_(std::move(stream)) {}
  void End(const Status& status) override {
    cells_.loop_.Post([&cells = cells_, cell = cell(), stream = stream_, report = report(), status,
                       start = reported()] { cells.Settle(cell, stream, report, status, start); });
  }

 private:
  Status May(const AppState& app) const override {
    return CheckOrdered(app, report(), cell(), cells_.placer_.open_orders());
  }
  Cells& cells_;
  const Stream stream_;
};

Cells::Cells(Roller& roller, Loop& loop, Reads& reads, Registry& registry, Auctioneer* auctioneer, Log& log,
             Metrics& metrics, Timing timing)
    : roller_(roller), loop_(loop), reads_(reads), registry_(registry), log_(log), metrics_(metrics), timing_(timing),
      placer_(roller, loop, auctioneer, log, metrics, timing.claim,
              [this](const CellId& id, RunInstance run) {
                const auto at = cells_.find(id);
                if (at == cells_.end() || !at->second.link) return;  // asked of another when its time is over
                CellOrders orders;
                orders.run.push_back(std::move(run));
                Send(at->second, std::move(orders));
              }),
      audit_(placer_, loop, log, [this](const CellId& id, const std::string& why) {
        if (const auto at = cells_.find(id); at != cells_.end() && at->second.link) at->second.link->End(why);
        placer_.Close(id);
      }) {}

void Cells::Lead(std::int64_t epoch, StoreIdentity store) {
  leading_ = true;
  epoch_ = epoch;
  store_ = std::move(store);
  later_epochs_.Clear();
  knows_cells_ = false;
  Tick(++life_);
  KnowAbsentCells();
}

void Cells::Follow() {
  leading_ = false;
  ++life_;
  for (auto& [id, cell] : cells_) {
    if (cell.link) cell.link->End(kLeadsNoMore);
  }
  cells_.clear();
  ports_.Clear();
  placer_.Clear();
  output_.EndAll(kLeadsNoMore);
}

Cells::Cell* Cells::Find(const CellId& id, const CellLink* link) {
  const auto at = cells_.find(id);
  return at == cells_.end() || at->second.link.get() != link ? nullptr : &at->second;
}

void Cells::Connected(std::shared_ptr<CellLink> link, CellGreeting greeting) {
  loop_.Post([this, link = std::move(link), greeting = std::move(greeting)] {
    if (!leading_) return link->End(kDoesNotLead);
    if (const Status admitted = Admit(greeting); !admitted) {
      return link->End(admitted.error().message, admitted.error().kind);
    }
    Cell& cell = cells_[greeting.record.id];
    cell.directory_id = greeting.directory_id;
    cell.key = greeting.key;
    if (cell.link) cell.link->End("the cell connected again");
    cell.record = greeting.record;
    ports_.Set(cell.record.id, cell.record.ports);
    cell.link = link;
    cell.last_heard = Loop::Steady::now();
    cell.lapsed = false;
    cell.draining_said.reset();
    cell.answers.clear();  // of the stream before
    placer_.Close(cell.record.id);
    placer_.ReleaseAll(cell.record.id);
    for (const auto& one : greeting.instances) placer_.Hold(cell.record.id, one.id, one.guid, one.resources, one.host_ports, Fleet::Word::kCells);
    log_.Info("cell_connected", {{"cell", greeting.record.id.str()}, {"instances", greeting.instances.size()}});
    CellOrders first;
    first.welcome = CellWelcome{timing_.heartbeat, timing_.lease, store_};
    Send(cell, std::move(first));
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
    placer_.Close(id);
  });
}

void Cells::AllOffers(const ProcessGuid& guid, std::function<void(std::vector<CellOffer>)> done) {
  loop_.Post([this, guid, done = std::move(done)] { done(placer_.fleet().Offers(guid, {})); });
}

void Cells::Stop(const StopRequest& request) {
  const auto at = cells_.find(request.cell_id);
  if (at == cells_.end() || !at->second.link) return;  // told when it connects: its rows are compared then
  CellOrders orders;
  orders.stop.push_back({request.id, request.instance_guid, timing_.stop_grace});
  Send(at->second, std::move(orders));
}

void Cells::Reported(const CellId& id, const CellLink* link, std::vector<CellReport> reports,
                     std::vector<ReportAnswer> unreadable) {
  loop_.Post([this, id, link, reports = std::move(reports), unreadable = std::move(unreadable)] {
    Cell* cell = Find(id, link);
    if (!cell) return;
    cell->last_heard = Loop::Steady::now();
    for (const ReportAnswer& answer : unreadable) Answer(id, cell->link, answer);
    for (const CellReport& report : reports) Accept(*cell, cell->link, report);
  });
}

void Cells::Accept(Cell& cell, const Stream& stream, const CellReport& report) {
  metrics_.Count("baton_cell_reports_total");
  const CellId id = cell.record.id;
  const ProcessGuid* holder = placer_.fleet().HolderOf(id, report.id);
  if (!holder) {
    // Neither running there nor ordered there as far as the leader knows. A row may still say so.
    reads_.Run([this, id, stream, report](Result<Reader*> reader) {
      const auto guid = reader ? (*reader)->FindApp(report.id) : Result<ProcessGuid>(reader.error());
      const auto app = guid ? (*reader)->ReadApp(*guid) : Result<AppRead>(guid.error());
      loop_.Post([this, id, stream, report, app] {
        const auto at = cells_.find(id);
        if (at == cells_.end()) return;
        if (!app && app.error().kind != ErrorKind::kNotFound) {
          return Answer(id, stream, {report.report_id, ReportOutcome::kRetry, app.error().message});
        }
        if (!app || CellOf(app->app, report.id) != id) {
          // Held by the cell's own word at most, and that is over.
          if (!placer_.HasOrdered(id, report.id)) placer_.Release(id, report.id);
          if (IsKnown(app ? app->app : AppState(), report)) {
            return Answer(id, stream, {report.report_id, ReportOutcome::kUnchanged, ""});
          }
          return Answer(id, stream, {report.report_id, ReportOutcome::kRefused, "no instance of this id is on this cell"});
        }
        if (!placer_.Confirm(id, report.id, app->app.guid)) {
          placer_.Hold(id, report.id, app->app.guid, {}, 0, Fleet::Word::kOurs);
        }
        Accept(at->second, stream, report);
      });
    });
    return;
  }
  auto command = std::make_unique<ReportedFact>(*this, *holder, id, stream, report);
  if (EndsHere(report)) return roller_.DoReport(std::move(command));
  if (std::holds_alternative<Started>(report.fact)) return roller_.DoInstanceAndLook(std::move(command));
  roller_.DoInstance(std::move(command), /*wake=*/false);
}

// The database now owns the answer: release the capacity held for starts that have ended. A hello names such a start
// for as long as the cell has it, so its capacity may be held again. Capacity and order of the row's next start stay.
void Cells::Settle(const CellId& id, const Stream& stream, const CellReport& report, const Status& status,
                   const ReportedStart& start) {
  ReportAnswer answer{report.report_id, start.changed ? ReportOutcome::kApplied : ReportOutcome::kUnchanged, ""};
  if (!status) {
    answer = {report.report_id, IsTransient(status.error()) ? ReportOutcome::kRetry : ReportOutcome::kRefused,
              status.error().message};
  }
  if (answer.outcome != ReportOutcome::kRetry && start.over) {
    if (!start.next_here && !placer_.HasOrdered(id, report.id)) placer_.Release(id, report.id);
  } else if (answer.outcome != ReportOutcome::kRetry) {
    if (const auto* rejected = std::get_if<Rejected>(&report.fact)) {
      placer_.Rejected(id, report.id, rejected->reason, rejected->lack);
    } else if (std::holds_alternative<Claimed>(report.fact)) {
      status ? placer_.Claimed(id, report.id) : placer_.ClaimRefused(id, report.id);
    } else if (std::holds_alternative<Started>(report.fact)) {
      placer_.Started(id, report.id);
    } else if (EndsHere(report)) {
      placer_.Ended(id, report.id);
    }
    // The commit of a start's end may have asked for the next one already: its order and its room are not the ended one's.
    const bool next_ordered = placer_.HasOrdered(id, report.id);
    const bool over = EndsHere(report) || answer.outcome == ReportOutcome::kRefused;
    if (over && !next_ordered) placer_.Release(id, report.id);
  }
  Answer(id, stream, std::move(answer));
}

void Cells::Answer(const CellId& id, const Stream& stream, ReportAnswer answer) {
  const auto at = cells_.find(id);
  if (at == cells_.end() || !at->second.link || at->second.link != stream.lock()) return;
  at->second.answers.push_back(std::move(answer));
  if (at->second.answers.size() >= kAnswersMax) return Send(at->second, {});
  if (!std::exchange(answers_due_, true)) loop_.Post([this] { SendAnswers(); });
}

void Cells::SendAnswers() {
  answers_due_ = false;
  for (auto& [id, cell] : cells_) {
    if (cell.link && !cell.answers.empty()) Send(cell, {});
  }
}

void Cells::Send(Cell& cell, CellOrders orders) {
  orders.epoch = epoch_;
  orders.answers = std::exchange(cell.answers, {});
  cell.link->Send(std::move(orders));
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
      knows_cells_ = true;
    });
  });
}

void Cells::Tick(int life) {
  if (life != life_) return;
  std::vector<CellId> alive;
  for (auto& [id, cell] : cells_) {
    const Duration silent = std::chrono::duration_cast<Duration>(Loop::Steady::now() - cell.last_heard);
    // Renewed by what was heard, not by its stream being there: the lease ends a lease after the last word.
    if (cell.link && silent < timing_.heartbeat * 2) alive.push_back(id);
    if (silent >= timing_.lease && !cell.lapsed) {
      cell.lapsed = true;
      if (cell.link) cell.link->End("no heartbeat for " + std::to_string(Millis(silent)) + " ms");
      cell.link.reset();
      placer_.Close(id);
      Lapse(id);
    }
  }
  if (!alive.empty()) {
    registry_.Renew(std::move(alive), timing_.lease, [this](const Status& status) {
      if (!status) log_.Warn("cell_leases_not_renewed", {{"error", status.error().message}});
    });
  }
  loop_.After(timing_.heartbeat, [this, life] { Tick(life); });
}

// Its lease has ended, or does so in a moment by the database's clock.
void Cells::Lapse(const CellId& id) {
  log_.Warn("cell_silent", {{"cell", id.str()}});
  metrics_.Count("baton_cells_silent_total");
  if (!on_silent_) return;
  on_silent_();
  loop_.After(timing_.heartbeat * 2 + timing_.heartbeat / 2, on_silent_);
}

void Cells::AskOutput(const CellId& id, OutputAsk ask, OutputAsks::Done done) {
  loop_.Post([this, id, ask = std::move(ask), done = std::move(done)] {
    if (!leading_) return done(Error{ErrorKind::kUnavailable, kLeadsNoMore, {}});
    const auto at = cells_.find(id);
    const bool here = at != cells_.end() && at->second.link;
    if (!here || std::ranges::find(at->second.record.abilities, kShowsOutput) == at->second.record.abilities.end()) {
      return done(Error{ErrorKind::kFailedPrecondition,
                        "cell " + id.str() + (here ? " is too old to show output: baton-cell logs does on its own machine"
                                                   : " is not connected: what runs there cannot be read until it is"), {}});
    }
    CellOrders orders;
    if (auto begun = output_.Begin(id, ask, done)) {
      orders.output.push_back(*std::move(begun));
      Send(at->second, std::move(orders));
    }
  });
}

void Cells::Views(std::function<void(std::map<CellId, View>)> done) {
  loop_.Post([this, done = std::move(done)] {
    std::map<CellId, View> views;
    for (const auto& [id, cell] : cells_) views[id] = {placer_.fleet().Free(id), cell.link != nullptr, placer_.HeldOff(id)};
    done(std::move(views));
  });
}

}  // namespace baton
