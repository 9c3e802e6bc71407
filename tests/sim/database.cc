#include "tests/sim/database.h"

#include <utility>

#include "orchestrator/model/names.h"
#include "tests/sim/leader.h"
#include "tests/sim/oracle.h"
#include "tests/sim/router.h"
#include "tests/sim/world.h"

namespace baton::sim {
namespace {

// idle_in_transaction_session_timeout: a leader that is paused in a transaction does not hold its fence for longer
// (D2).
constexpr Duration kIdleMax = milliseconds(1500);

Error Away(const char* why) { return {ErrorKind::kUnavailable, why, milliseconds(100)}; }

}  // namespace

// A transaction as the store runs it: what was asked, looked at by the oracle, and the planner.
class Database::Command final : public AppCommand {
 public:
  Command(World& world, Running& t)
      : AppCommand({.name = t.name, .guid = t.guid, .actor = t.name}), world_(world), t_(t) {}
  Status Decide(AppEdit& edit) override {
    if (Status refused = t_.decide ? t_.decide(edit) : Status(Done{}); !refused) return refused;
    world_.oracle().Before(edit.state());
    if (t_.drives) t_.effects = RunPlanner(edit);
    return Done{};
  }
  void End(const Status& status) override { told_ = status; }
  const Status& told() const { return told_; }

 private:
  World& world_;
  Running& t_;
  Status told_ = Done{};
};

void Database::Submit(Transaction transaction) {
  const ProcessGuid guid = transaction.guid;
  queues_[guid].waiting.push_back(std::make_shared<Running>(Running{std::move(transaction), {}, std::nullopt}));
  Next(guid);
}

void Database::Collect(const ProcessGuid& guid, const DefinitionKey& key) {
  if (!queues_[guid].busy) store_.DeleteDefinition(guid, key);
}

void Database::Next(const ProcessGuid& guid) {
  Queue& queue = queues_[guid];
  while (!queue.busy && !queue.waiting.empty()) {
    const Handle t = queue.waiting.front();
    queue.waiting.pop_front();
    queue.busy = true;
    Begin(t);
  }
}

void Database::Begin(const Handle& t) {
  if (t->leader->life() != t->life) return End(t, Away("nobody is there"));
  FakeLease& lease = LeaseFor(*t);
  if (!lease.Hold(t->epoch)) {
    world_.Note(t->name + " of " + t->guid.str() + " by " + t->leader->name() + ": deposed, the fence refuses it");
    if (t->epoch == t->leader->epoch()) t->leader->StepDown();
    return End(t, Away("another one leads"));
  }
  t->fence = &lease;
  world_.options().yields ? Then(t, &Database::Decide) : AtOnce(t);
}

FakeLease& Database::LeaseFor(const Running& t) {
  const Leadership& own = t.leader->leadership();
  if (!world_.Planted(Bug::kFencesByAnothersLease)) return leases_[own.lease()];
  return leases_[world_.leaderships().front()->lease()];
}

// Whoever commits an app leads its range, by the database's word at that moment.
void Database::CheckLeadership(const Running& t) {
  const Leadership& right = world_.LeadershipOf(t.guid);
  if (&right != &t.leader->leadership()) {
    world_.Broken("D1: " + t.name + " of " + t.guid.str() + " is committed by " + t.leader->name() +
                  ", which leads other apps");
  }
  if (t.epoch != epoch(right.lease())) {
    world_.Broken("D1: " + t.name + " of " + t.guid.str() + " is committed by a leader that was deposed");
  }
}

// The same without a copy of the rows, where nobody can look in between: three schedules of four.
void Database::AtOnce(const Handle& t) {
  store_.moment().now = world_.now();
  world_.JudgeSilentCells();
  world_.MetReport(t->guid, t->name);
  if (world_.StoreFails(2)) return LoseCommit(t);
  const auto before = store_.app(t->guid).roll ? std::optional(store_.app(t->guid).roll->state) : std::nullopt;
  Command command(world_, *t);
  store_.SubmitHeld(command);
  if (!command.told()) return RollBack(t, command.told());
  world_.oracle().AfterDecision(t->name, store_.app(t->guid), store_.last_changes());
  InsertEvents(*t, store_.last_changes());
  Committed(t, before);
}

void Database::Decide(const Handle& t) {
  store_.moment().now = world_.now();
  world_.JudgeSilentCells();
  world_.MetReport(t->guid, t->name);
  Command command(world_, *t);
  t->prepared = store_.Prepare(command);
  if (!t->prepared->status) return RollBack(t, t->prepared->status);
  // What was decided is judged by what it was decided from; it takes effect with the commit, or never.
  world_.oracle().AfterDecision(t->name, t->prepared->after, t->prepared->changes);
  Then(t, &Database::Write);
}

void Database::Write(const Handle& t) {
  if (world_.StoreFails(2)) {  // 40P01: all of it again
    world_.Met(t->guid, Happening::kDeadlock);
    t->fence->Release();
    t->fence = nullptr;
    return Then(t, &Database::Begin);
  }
  InsertEvents(*t, t->prepared->changes);
  Then(t, &Database::Commit);
}

void Database::InsertEvents(Running& t, const AppChanges& changes) {
  if (world_.options().partitions > 1) t.events = outbox_.Insert(t.guid, changes.events.size());
}

void Database::Commit(const Handle& t) {
  if (world_.StoreFails(2)) return LoseCommit(t);
  const auto before = store_.app(t->guid).roll ? std::optional(store_.app(t->guid).roll->state) : std::nullopt;
  store_.Commit(*std::move(t->prepared));
  Committed(t, before);
}

void Database::LoseCommit(const Handle& t) {
  world_.Met(t->guid, Happening::kCommitLost);
  world_.Note(t->name + " of " + t->guid.str() + ": the commit is lost");
  RollBack(t, Away("the database went away"));
}

void Database::Committed(const Handle& t, std::optional<RollState> before) {
  CheckLeadership(*t);
  if (t->events) outbox_.Commit(*std::exchange(t->events, std::nullopt));
  world_.Committed(t->name, store_.app(t->guid), store_.last_changes(), before);
  if (world_.StoreFails(2)) {
    world_.Met(t->guid, Happening::kAnswerLost);
    world_.Note(t->name + " of " + t->guid.str() + ": it is done, and its answer is lost");
    return End(t, Away("the database went away"));
  }
  End(t, Done{});
}

void Database::Then(const Handle& t, Statement next) {
  if (!world_.options().yields || world_.calm()) return (this->*next)(t);
  const std::int64_t draw = world_.rng().Between(1, 1000);
  if (draw <= 3) {
    world_.Met(t->guid, Happening::kDiesInTransaction);
    t->leader->Crash();
    t->leader->leadership().RestartLater(*t->leader);
  } else if (draw <= 9) {
    world_.Met(t->guid, Happening::kPausedInTransaction);
    t->leader->Pause(world_.Ms(100, 12000));
  } else if (draw > 60) {
    return (this->*next)(t);
  }
  world_.After(world_.Ms(1, 400), [this, t, next] { GoOn(t, next); });
}

void Database::GoOn(const Handle& t, Statement next) {
  if (t->over) return;
  if (t->leader->life() != t->life) return RollBack(t, Away("nobody is there"));  // its connection is gone
  if (!t->leader->paused()) return (this->*next)(t);
  t->leader->Receive([this, t, next] { GoOn(t, next); });
  world_.After(kIdleMax, [this, t] {
    const bool silent = t->leader->paused() || t->leader->life() != t->life;
    if (!t->over && silent) RollBack(t, Away("the database gave the silent transaction up"));
  });
}

void Database::RollBack(const Handle& t, Status status) {
  t->prepared.reset();
  End(t, status);
}

void Database::End(const Handle& t, const Status& status) {
  if (t->over) return;
  t->over = true;
  if (t->fence) t->fence->Release();
  if (t->events) outbox_.RollBack(*t->events);
  const auto answer = [t, status] {
    if (t->leader->life() == t->life) t->done(status, t->effects);
  };
  queues_[t->guid].busy = false;
  t->leader->paused() ? t->leader->Receive(answer) : answer();
  // Others of the app wait; without yields this is deep inside of one of them.
  if (!queues_[t->guid].waiting.empty()) world_.After(Duration(0), [this, guid = t->guid] { Next(guid); });
}

}  // namespace baton::sim
