// An app in whatever state a test needs, and the planner run over it. Rows are written as reports would write them; the
// clock is the test's.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "orchestrator/roll/planner.h"

namespace baton {

// Everything on it has to go.
inline const CellId kDrainingCell("draining");

class AppMaker {
 public:
  // Definitions v1 (proven, healthy) and v2; no instance, no route. One router, ten cells.
  explicit AppMaker(int instances);
  AppMaker(const AppMaker& other) : app(other.app), moment(other.moment), steps(other.steps), ids_(other.ids_) { moment.ids = &ids_; }
  AppMaker& operator=(const AppMaker&) = delete;

  // v1 is active, and every slot has a ready instance of it.
  static AppMaker Settled(int instances);

  AppState app;
  Moment moment;
  std::vector<RollStep> steps;  // of PlanNow, all of them

  // What holds now: the open roll's, else the app's.
  Strategy& strategy() { return app.roll ? app.roll->strategy : app.desired->strategy; }
  // Every slot has a ready instance of the definition.
  void RunAll(const std::string& definition);
  ActualLrp& Add(int index, Presence presence, const std::string& definition);
  // Claimed and routable now, its endpoint applied by the router.
  static void Start(ActualLrp& lrp, TimePoint now);
  // It runs, or starts, and is not ready.
  static void MakeUnready(ActualLrp& lrp);
  // A roll from v1 to v2 that begins now.
  void OpenRoll();
  void Wait(Duration duration);

  Plan PlanNow();
  // PlanNow, Wait(step) and what `cells` does with the rows, until nothing changes or so many rounds are over.
  void Run(const std::function<void(AppMaker&)>& cells, Duration step, int rounds);

  // Of the slot; null where there is none.
  ActualLrp* Of(int index, Presence presence);
  int Count(Presence presence) const;
  // Slots with a ready ORDINARY instance of the definition.
  int ReadyOf(const std::string& definition) const;
  bool Explains(const Plan& plan, std::string_view rule) const;

 private:
  class Counter final : public IdSource {
   public:
    std::string NewUuid() override { return "id-" + std::to_string(++last_); }
    std::int64_t NewIncarnation() override { return ++last_; }

   private:
    std::int64_t last_ = 100;
  };
  Counter ids_;
};

// What honest cells do: claim and start what is unclaimed, remove what was told to stop.
void HonestCells(AppMaker& maker);

}  // namespace baton
