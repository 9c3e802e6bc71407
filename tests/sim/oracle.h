// What must hold after every commit, said a second time and in other words than the planner's: no code of
// orchestrator/roll is used here.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "orchestrator/model/app_edit.h"
#include "orchestrator/ports/store.h"
#include "tests/sim/route_oracle.h"

namespace baton::sim {

class World;

class Oracle {
 public:
  explicit Oracle(World& world) : world_(world) {}

  // Between the report or wish itself and the planner's own steps: what the planner starts from.
  void Before(const AppState& app);
  // What the whole transaction is about to commit. `name` says who did it.
  void AfterDecision(const std::string& name, const AppState& app, const AppChanges& changes);
  // A cell is about to start an instance.
  void BeforeStart(const ProcessGuid& guid, int index);
  // How many slots of an app serve now.
  int Served(const AppState& app) const;
  // No roll moves any more, and no instance is on its way.
  bool Settled() const;
  // At the end, after the calm: everything wished for has come.
  void AtEnd();

 private:
  bool Ready(const AppState& app, const ActualLrp& lrp) const;
  void CheckShape(const std::string& name, const AppState& app);
  void CheckRows(const std::string& name, const AppState& app, const AppChanges& changes);
  void CheckSteps(const std::string& name, const AppState& app, const AppChanges& changes);
  void CheckRetired(const std::string& name, const AppState& app, const AppChanges& changes);
  void CheckTags(const std::string& name, const AppState& app, const AppChanges& changes);
  void CheckInFlight(const std::string& name, const AppState& app, const AppChanges& changes);
  void CheckStage(const std::string& name, const AppState& app, const AppChanges& changes);
  // Slots that the open roll has handed over, and that are not ready, or not for long enough after a crash. Of a roll
  // that goes forward and has proof only.
  std::set<int> Hurting(const AppState& app) const;
  void CheckHandedOver(const std::string& name, const AppState& app, const AppChanges& changes);
  void CheckNothingInVain(const std::string& name, const AppState& app, const AppChanges& changes);
  void CheckAcknowledgements(const std::string& name, const AppState& app);
  void CheckProcesses();
  void EndOf(const AppState& app);

  World& world_;
  std::map<ProcessGuid, int> served_before_;
  RouteOracle routes_{[this](const AppState& app, const ActualLrp& lrp) { return Ready(app, lrp); }};
  std::map<ProcessGuid, Strategy> strategy_before_;  // a roll that ends gives way to what the app has by then
  std::map<ProcessGuid, std::map<ActualId, ActualLrp>> rows_before_;
  std::map<ProcessGuid, std::optional<DesiredLrp>> desired_before_;
  std::map<ProcessGuid, std::optional<Roll>> roll_before_;
  std::map<ProcessGuid, std::set<int>> hurting_before_;
  std::map<ProcessGuid, std::int64_t> removed_;  // guid -> incarnation that was removed
};

}  // namespace baton::sim
