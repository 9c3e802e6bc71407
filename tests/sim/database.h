// The database as the leaders meet it: transactions of several statements, one after the other for each app, fenced by
// the leader's epoch. Each statement is a point at which the leader may be paused, or be gone, and the database may
// refuse (40P01), or lose its answer.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "orchestrator/app/leader/drive.h"
#include "tests/fakes/fake_lease.h"
#include "tests/fakes/fake_store.h"
#include "tests/sim/outbox.h"

namespace baton::sim {

class Leader;
class World;

struct Transaction {
  Leader* leader = nullptr;
  int life = 0;            // of the leader's process
  std::int64_t epoch = 0;  // that it believes to lead in
  std::string name;
  ProcessGuid guid;
  std::function<Status(AppEdit&)> decide;  // may be empty: only the planner
  bool drives = false;                     // the planner runs after it
  // Once; not where the leader's process is gone.
  std::function<void(const Status&, const Effects&)> done;
};

class Database {
 public:
  explicit Database(World& world) : world_(world), outbox_(world) { store_.KeepQuietSlots(); }

  void Submit(Transaction transaction);
  FakeStore& store() { return store_; }
  Outbox& outbox() { return outbox_; }
  // Deletes a definition unless a row refers to it, or a transaction of its app is open, which may.
  void Collect(const ProcessGuid& guid, const DefinitionKey& key);

  std::int64_t epoch(const std::string& lease) { return leases_[lease].epoch(); }
  // A new leader is elected: an UPDATE of the lease's key, which waits for the writers that hold the old one.
  bool TryElect(const std::string& lease) { return leases_[lease].Elect(); }

 private:
  // One that is being worked on.
  struct Running : Transaction {
    Effects effects;
    std::optional<Prepared> prepared;
    bool over = false;
    FakeLease* fence = nullptr;  // that it holds
    std::optional<Outbox::Writer> events;
  };
  class Command;
  using Handle = std::shared_ptr<Running>;
  using Statement = void (Database::*)(const Handle&);

  void Next(const ProcessGuid& guid);
  void Begin(const Handle& t);
  void Decide(const Handle& t);
  void Write(const Handle& t);
  void Commit(const Handle& t);
  void AtOnce(const Handle& t);
  void LoseCommit(const Handle& t);
  void Committed(const Handle& t, std::optional<RollState> before);
  // With several leaderships only: with one the product's own tests look at the outbox.
  void InsertEvents(Running& t, const AppChanges& changes);
  // Of the leader's own leadership.
  FakeLease& LeaseFor(const Running& t);
  void CheckLeadership(const Running& t);
  // To the next statement, now or later, unless the leader is gone by then.
  void Then(const Handle& t, Statement next);
  void GoOn(const Handle& t, Statement next);
  // Nothing of it happened.
  void RollBack(const Handle& t, Status status);
  // Locks are given back; the leader is told, if there is one to be told.
  void End(const Handle& t, const Status& status);

  World& world_;
  FakeStore store_;
  Outbox outbox_;
  std::map<std::string, FakeLease> leases_;
  struct Queue {
    bool busy = false;
    std::deque<Handle> waiting;
  };
  std::map<ProcessGuid, Queue> queues_;
};

}  // namespace baton::sim
