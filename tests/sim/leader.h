// A simulated leader: a process that leads or stands by. What it knows is forgotten when it dies; the rows are not. A
// paused one believes that it leads until the database tells it otherwise.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "orchestrator/app/leader/drive.h"
#include "orchestrator/placement/refusals.h"
#include "tests/sim/leadership.h"
#include "tests/sim/rejection_oracle.h"
#include "tests/sim/world.h"

namespace baton::sim {

class Leader {
 public:
  Leader(World& world, Leadership& leadership, std::string name)
      : world_(world), leadership_(leadership), name_(std::move(name)) {}

  Leadership& leadership() const { return leadership_; }
  const std::string& name() const { return name_; }
  bool alive() const { return alive_; }
  bool up() const { return alive_ && leads_; }  // as far as it knows
  bool paused() const { return paused_; }
  int life() const { return life_; }
  std::int64_t epoch() const { return epoch_; }

  void Crash();
  void Restart() { alive_ = true; }
  // Nothing happens in it for so long; what comes for it waits.
  void Pause(Duration duration);
  // The database elected it.
  void Lead(std::int64_t epoch);
  // The database says that it does not lead.
  void StepDown();
  // Another one was elected: whoever talked to it, talks to that one now.
  void Abandon();

  // Runs now, or when the pause is over; not at all if it dies before.
  void Receive(std::function<void()> what);
  // Level: every app of its range is looked at again.
  void Tick();
  void Wake(const ProcessGuid& guid, Duration delay);
  using Decide = std::function<Status(AppEdit&)>;
  using Answer = std::function<void(const Status&)>;
  // `answer` (may be empty) is called once: UNAVAILABLE where the leader dies or is abandoned before.
  void Report(const std::string& name, const ProcessGuid& guid, bool whole, Decide decide, Answer answer = nullptr);
  // What a cell said of what it was asked to run. `own_fault`: it could have run nothing at all.
  void Rejected(const Asked& asked, const CellId& cell, const ActualId& id, bool own_fault);
  void Claimed(const Asked& asked, const CellId& cell);
  void Started(const Asked& asked, const CellId& cell) { refusals_.Started(asked, cell); }
  void UserCall(const std::string& name, const ProcessGuid& guid, Decide decide);

 private:
  void Submit(const std::string& name, const ProcessGuid& guid, Decide decide, bool drives,
              std::function<void(const Status&, const Effects&)> done);
  void AnswerAll();
  void Follow(const Effects& effects);
  void Place(const PlacementRequest& request);
  // Cells that may be asked for it now.
  std::vector<Cell*> Fit(const Asked& asked);
  void ForgetCells();
  // Somebody outside answers, or does not.
  void Ask(const VerdictQuestion& question);
  void TickLoop(int life);

  World& world_;
  Leadership& leadership_;
  const std::string name_;
  bool alive_ = true;
  bool leads_ = false;
  bool paused_ = false;
  int life_ = 0;   // of the process
  int reign_ = 0;  // rises with each change of what it is
  int pauses_ = 0;
  std::int64_t epoch_ = 0;
  std::deque<std::function<void()>> waiting_;  // came while it was paused
  std::map<int, Answer> owed_;
  int last_owed_ = 0;
  std::map<ActualId, TimePoint> offers_;    // until when nobody else is asked
  Refusals refusals_;
  Complaints complaints_;
  std::map<CellId, TimePoint> held_off_;    // until when they are given nothing
  RejectionOracle rejections_;
  std::map<RollId, TimePoint> asked_;       // when to ask again
  std::map<ProcessGuid, TimePoint> wakes_;  // the next one of each app
};

}  // namespace baton::sim
