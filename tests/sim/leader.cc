#include "tests/sim/leader.h"

#include <algorithm>
#include <utility>

#include "orchestrator/app/apps/verdict.h"
#include "tests/sim/cell.h"
#include "tests/sim/database.h"
#include "tests/sim/router.h"

namespace baton::sim {
namespace {

Error Gone() { return {ErrorKind::kUnavailable, "the connection is gone", milliseconds(100)}; }

}  // namespace

void Leader::Crash() {
  world_.Note(name_ + " crashes");
  if (leads_) world_.MetByAll(Happening::kLeaderCrashes);
  const bool led = leads_;
  alive_ = leads_ = paused_ = false;
  ++life_;
  ++reign_;
  waiting_.clear();
  ForgetCells();
  asked_.clear();
  wakes_.clear();
  if (led) leadership_.LeaseRunsOut();
  AnswerAll();
}

void Leader::Pause(Duration duration) {
  if (paused_ || !alive_) return;
  world_.Note(name_ + " is paused for " + std::to_string(Millis(duration)) + " ms");
  if (leads_) world_.MetByAll(Happening::kLeaderPaused);
  paused_ = true;
  if (leads_) leadership_.LeaseRunsOut();
  world_.After(duration, [this, pause = ++pauses_, life = life_] {
    if (life != life_ || pause != pauses_) return;
    world_.Note(name_ + " goes on");
    paused_ = false;
    // One that another has followed learns of it from the database, or here at last.
    const bool followed = epoch_ != world_.database().epoch(leadership_.lease());
    if (!followed) leadership_.RenewLease(*this);
    // In the order of their coming; one of them may end it, or pause it again.
    while (!waiting_.empty() && !paused_ && life == life_) {
      const auto what = std::move(waiting_.front());
      waiting_.pop_front();
      what();
    }
    if (followed && life == life_ && !paused_) leadership_.RenewLease(*this);
  });
}

void Leader::Receive(std::function<void()> what) {
  if (paused_) return waiting_.push_back(std::move(what));
  what();
}

void Leader::AnswerAll() {
  for (const auto& [number, answer] : std::exchange(owed_, {})) {
    if (answer) world_.After(Duration(0), [answer] { answer(Gone()); });
  }
}

void Leader::StepDown() {
  leads_ = false;
  ++reign_;
  AnswerAll();
}

void Leader::Abandon() { AnswerAll(); }

void Leader::Lead(std::int64_t epoch) {
  epoch_ = epoch;
  leads_ = true;
  ++reign_;
  ForgetCells();
  asked_.clear();
  wakes_.clear();
  world_.Note(name_ + " leads in epoch " + std::to_string(epoch));
  // No lease was renewed while there was no leader; that is not the cells' fault.
  for (auto& [id, lease] : world_.store().moment().cells) {
    lease.expires_at = std::max(lease.expires_at, world_.now() + seconds(10));
  }
  for (const auto& cell : world_.cells()) {
    world_.After(world_.Ms(50, 800), [this, c = cell.get(), reign = reign_] {
      if (reign == reign_ && up()) c->Hello(leadership_);
    });
  }
  for (const auto& router : world_.routers()) router->Reconnect(leadership_);
  if (world_.options().partitions > 1) world_.database().outbox().Follow(leadership_);
  TickLoop(reign_);
}

void Leader::TickLoop(int reign) {
  if (reign != reign_ || !up()) return;
  Receive([this] { Tick(); });
  world_.After(seconds(5), [this, reign] { TickLoop(reign); });
}

void Leader::Tick() {
  for (const auto& [guid, app] : world_.store().apps()) {
    if (leadership_.Has(guid) || world_.Planted(Bug::kDrivesAllApps)) Wake(guid, milliseconds(1));
  }
}

void Leader::Wake(const ProcessGuid& guid, Duration delay) {
  const TimePoint at = world_.now() + delay;
  const auto [pending, fresh] = wakes_.emplace(guid, at);
  if (!fresh && pending->second <= at && pending->second > world_.now()) return;
  pending->second = at;
  world_.After(delay, [this, guid, at, reign = reign_] {
    if (reign != reign_ || !up()) return;
    Receive([this, guid, at, reign] {
      if (reign != reign_) return;
      const auto due = wakes_.find(guid);
      if (due == wakes_.end() || due->second != at) return;  // an earlier one was asked for, and has been
      wakes_.erase(due);
      Submit("plan", guid, nullptr, true, [this](const Status& status, const Effects& effects) {
        if (status) Follow(effects);
      });
    });
  });
}

void Leader::Submit(const std::string& name, const ProcessGuid& guid, Decide decide, bool drives,
                    std::function<void(const Status&, const Effects&)> done) {
  world_.database().Submit({.leader = this,
                            .life = life_,
                            .epoch = epoch_,
                            .name = name,
                            .guid = guid,
                            .decide = std::move(decide),
                            .drives = drives,
                            .done = std::move(done)});
}

void Leader::Report(const std::string& name, const ProcessGuid& guid, bool whole, Decide decide, Answer answer) {
  if (!up()) {
    if (answer) answer(Gone());
    return;
  }
  const int number = ++last_owed_;
  owed_[number] = std::move(answer);
  Receive([this, name, guid, whole, decide = std::move(decide), number] {
    Submit(name, guid, decide, whole, [this, guid, whole, number](const Status& status, const Effects& effects) {
      // As in the product: the cell has its answer before the next order.
      if (const auto owed = owed_.find(number); owed != owed_.end()) {  // else it has another leader by now
        const Answer told = std::move(owed->second);
        owed_.erase(owed);
        if (told) told(status);
      }
      if (whole && status) Follow(effects);
      if (!whole) Wake(guid, world_.Ms(1, 20));
    });
  });
}

void Leader::UserCall(const std::string& name, const ProcessGuid& guid, Decide decide) {
  Receive([this, name, guid, decide = std::move(decide)] {
    Submit(name, guid, decide, true, [this, name, guid](const Status& status, const Effects& effects) {
      world_.Note(name + " of " + guid.str() + (status ? "" : " refused: " + status.error().message));
      if (status) Follow(effects);
    });
  });
}

void Leader::Follow(const Effects& effects) {
  // A crash between the commit and what is told outside: nothing of it is told.
  if (world_.options().leader_crashes && !world_.calm() && world_.rng().Percent(1)) {
    Crash();
    leadership_.RestartLater(*this);
    return;
  }
  for (const PlacementRequest& request : effects.to_place) Place(request);
  for (const StopRequest& stop : effects.to_stop) {
    world_.After(world_.Ms(1, 50), [this, stop, guid = effects.guid, epoch = epoch_] {
      for (const auto& cell : world_.cells()) {
        if (cell->id() == stop.cell_id) cell->Stop(stop, guid, {leadership_, epoch});
      }
    });
  }
  if (effects.plan.ask) Ask(*effects.plan.ask);
  if (effects.plan.wake_up_at) {
    const Duration delay = *effects.plan.wake_up_at - world_.now();
    if (delay <= Duration(0) && !world_.options().yields) {
      world_.Broken("the planner wants to be woken in the past\n" + world_.Explain(effects.guid));
    }
    Wake(effects.guid, std::max<Duration>(delay, milliseconds(1)));
  }
}

void Leader::Ask(const VerdictQuestion& question) {
  TimePoint& again = asked_[question.roll_id];
  if (again > world_.now()) return;
  again = world_.now() + world_.Ms(1000, 5000);
  const std::int64_t draw = world_.rng().Between(1, 100);
  VerdictAnswer answer{Verdict::kWait, "no answer " + std::to_string(draw)};
  if (draw <= 30 || world_.calm()) answer = {Verdict::kPromote, "it looks well"};
  if (draw > 85) answer = {Verdict::kFail, "it does not look well"};
  world_.After(world_.Ms(50, 12000), [this, question, answer, life = life_] {
    if (!up() || life != life_) return;
    Report("verdict", question.guid, true,
           [question, answer](AppEdit& edit) { return DecideVerdict(edit, question, answer); });
  });
}

void Leader::ForgetCells() {
  offers_.clear();
  refusals_ = Refusals();
  complaints_ = Complaints();
  held_off_.clear();
  rejections_ = RejectionOracle();
}

void Leader::Rejected(const Asked& asked, const CellId& cell, const ActualId& id, bool own_fault) {
  rejections_.Rejected(asked, cell, own_fault, world_.now());
  const Lack lack = own_fault ? Lack::kCell : Lack::kOther;
  refusals_.Rejected(asked, cell, {"it lacks something", lack, {}}, world_.now());
  const auto held = own_fault ? complaints_.OwnFault(cell, asked.guid) : std::nullopt;
  if (held) held_off_[cell] = world_.now() + *held;
  offers_.erase(id);
  Wake(asked.guid, milliseconds(1));
}

void Leader::Claimed(const Asked& asked, const CellId& cell) {
  rejections_.Claimed(cell);
  complaints_.Took(cell);
  refusals_.Claimed(asked, cell);
}

std::vector<Cell*> Leader::Fit(const Asked& asked) {
  const auto refused = refusals_.Of(asked, world_.now());
  std::vector<Cell*> fit;
  for (const auto& cell : world_.cells()) {
    const bool has_room = cell->Reaches(leadership_) && cell->RoomKnownTo(leadership_) > 0 && !cell->Drains() &&
                          !world_.store().moment().Lost(cell->id());
    if (!has_room) continue;
    const auto held = held_off_.find(cell->id());
    if (!refused.contains(cell->id()) && (held == held_off_.end() || held->second <= world_.now())) {
      fit.push_back(cell.get());
    } else if (const std::string fault = rejections_.LeftOut(asked, cell->id(), world_.now()); !fault.empty()) {
      world_.Broken(fault);
    }
  }
  return fit;
}

void Leader::Place(const PlacementRequest& request) {
  const Asked asked{request.guid, request.definition.content_hash};
  if (!refusals_.MayAsk(asked, 0, world_.now())) {
    if (const std::string fault = rejections_.Waits(asked, world_.now()); !fault.empty()) world_.Broken(fault);
    return Wake(request.guid, *refusals_.AskAgainAt(asked, world_.now()) - world_.now());
  }
  TimePoint& until = offers_[request.id];
  if (until > world_.now()) return;
  const std::vector<Cell*> fit = Fit(asked);
  until = world_.now() + seconds(2);
  Wake(request.guid, seconds(2) + milliseconds(1));
  if (fit.empty()) {
    Report("placement error", request.guid, false,
           [id = request.id](AppEdit& edit) { return DecidePlacementError(edit, id, "no cell has room"); });
    return;
  }
  Cell* cell = fit[static_cast<std::size_t>(world_.rng().Between(0, static_cast<std::int64_t>(fit.size()) - 1))];
  world_.After(world_.Ms(1, 30), [this, cell, request, epoch = epoch_] { cell->Run(request, {leadership_, epoch}); });
}

}  // namespace baton::sim
