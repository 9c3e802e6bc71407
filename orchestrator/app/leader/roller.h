// Drives apps: wakes them when something happened or time has come, runs the planner in the store, and hands on what is
// to be done outside. A wake-up that is lost costs a tick.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/app/leader/drive.h"
#include "orchestrator/app/leader/loop.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "orchestrator/ports/store.h"

namespace baton {

class Roller {
 public:
  struct Timing {
    Duration tick = milliseconds(100);    // between two looks at some of the apps that are on their way
    Duration round = seconds(5);          // after which each of them was looked at, whoever forgot to wake it
    Duration after_refusal = seconds(1);  // until an app is looked at again whose look failed
    std::size_t in_turn = 1000;           // looks at a time for those that are woken in turn
  };
  // `follow` gets, on the loop, what each pass left to do outside of the rows.
  Roller(Store& store, Loop& loop, Log& log, Metrics& metrics, std::function<void(const Effects&)> follow);
  Roller(Store& store, Loop& loop, Log& log, Metrics& metrics, std::function<void(const Effects&)> follow,
         Timing timing);

  // From any thread.
  void Wake(const ProcessGuid& guid);
  // One of many that are woken at a time: it is looked at when it is its turn, so that the store has room for reports,
  // for rolls and for callers. From any thread.
  void WakeInTurn(const ProcessGuid& guid);
  // Each app that is on its way: something that many of them may wait for has changed. From any thread.
  void WakeAllOnTheirWay();
  // A use case or a report that needs all rows of its app: decided, planned, followed. From any thread.
  void Do(std::unique_ptr<AppCommand> command);
  // The same for a cell's report of an end: what it says of its cell is known, and the cell has its answer, before the
  // next order for the instance goes out.
  void DoReport(std::unique_ptr<AppCommand> command);
  // A report of one instance: decided; its app is woken if anything changed. From any thread.
  void DoInstance(std::unique_ptr<AppCommand> command, bool wake);
  // On the loop: a report of one instance after which its app is looked at; in the same commit, unless the app is being
  // looked at already: then once more when that is done, however many such reports come meanwhile.
  void DoInstanceAndLook(std::unique_ptr<AppCommand> command);

  // Whoever keeps something of the app's rows in memory is told all of them. `name` and `actor`: of the command.
  // `done`: they were told, or it could not be done. From any thread.
  void TellAnew(
      const std::string& name, const ProcessGuid& guid, const std::string& actor, std::function<void()> done = [] {});

  // Apps whose open roll is looked after. `done` is called on the loop.
  void OpenRolls(std::function<void(std::set<ProcessGuid>)> done);

  // On the loop: from here on (no more) wake-ups are acted on. Leading starts ticks that look again at every app that is on
  // its way, some at a time.
  void Lead();
  void Follow();
  std::size_t open_rolls() const { return open_.size(); }

 private:
  class Look;
  class DrivenCommand;
  class DrivenStart;
  class WakingCommand;
  struct App {
    bool running = false;  // its pass is under way
    bool again = false;    // and it was woken meanwhile
    bool in_turn = false;  // it is one of the looks in turn
  };
  void WakeOnLoop(const ProcessGuid& guid);
  void Begin(const ProcessGuid& guid, bool in_turn);
  void NextInTurn();
  // The store has no room, or cannot be reached: nobody's turn comes for a while.
  void HoldTurns();
  void WakeLater(const ProcessGuid& guid, Duration delay);
  void Finished(const ProcessGuid& guid, const Status& status);
  void Followed(const Effects& effects, TimePoint decided_at);
  void Tick(int life);

  Store& store_;
  Loop& loop_;
  Log& log_;
  Metrics& metrics_;
  std::function<void(const Effects&)> follow_;
  const Timing timing_;
  bool leading_ = false;
  int life_ = 0;
  std::map<ProcessGuid, App> apps_;                         // with a pass under way
  std::map<ProcessGuid, Loop::Steady::time_point> timers_;  // the earliest wake-up that is set
  std::set<ProcessGuid> open_;                              // with an open roll
  std::set<ProcessGuid> moving_;                            // with something placed, stopped or drained
  std::set<ProcessGuid> waiting_;                           // for their turns
  ProcessGuid last_turn_;                                   // whose was begun: the next one's is behind it
  bool turns_held_ = false;
  std::size_t in_turn_ = 0;                                 // looks that are under way
  ProcessGuid looked_up_to_;                                // by the present round of ticks; empty: it is yet to begin
  Loop::Steady::time_point round_began_{};
};

}  // namespace baton
