#include "orchestrator/roll/planner.h"

#include <algorithm>
#include <optional>

#include "orchestrator/base/check.h"
#include "orchestrator/roll/drain.h"
#include "orchestrator/roll/open_slots.h"
#include "orchestrator/roll/phases/phases.h"
#include "orchestrator/roll/rules/route_floor.h"
#include "orchestrator/roll/slot_board.h"

namespace baton {
namespace {

// One round. True: start another one. Either the roll changed its state, so the plan so far is void; or an earlier
// phase acted and may have made new work for the phases before it (a proof lets dead slots be filled, and they come
// before any surge: simulation seed 2578).
bool Round(SlotBoard& board) {
  const int before = board.plan().steps;
  FollowCells(board);
  JudgeNewcomers(board);
  // A stage that is reached stops fills, too: it comes before them (simulation seed 1795367454).
  if (React(board) || Stages(board)) return true;
  Withdraw(board);
  Evacuate(board);
  Repair(board);
  HandOver(board);
  StopDrained(board);
  if (board.plan().steps != before) return true;
  NextSlots(board);
  Trim(board);
  return Settle(board);
}

}  // namespace

#ifdef BATON_CHECK_BOARDS
bool check_boards = true;
#else
bool check_boards = false;
#endif

Plan PlanRoll(AppEdit& edit, Reasons named) {
  Plan plan{.named = named};
  DrainLeftovers(edit, plan);
  if (!edit.state().desired) return plan;
  const Plan leftovers = plan;
  // A step may make another one feasible: rounds until nothing changes. Each step brings a row nearer to its end, so
  // there is an end; the bound only turns a fault of these rules into a loud one.
  constexpr int kRoundsMax = 64;
  const BoardOf slots = edit.state().quiet.kept() ? BoardOf::kOpenSlots : BoardOf::kAllSlots;
  std::optional<SlotBoard> board;
  for (int round = 0;; ++round) {
    CHECK(round < kRoundsMax);
    const int before = plan.steps;
    const int made = plan.made;
    plan = leftovers;  // reasons and wake-ups of the last round only
    plan.steps = before;
    plan.made = made;
    if (!board) board.emplace(edit, plan, slots);
    if (check_boards) CHECK(IsAsNew(*board));
    if (Round(*board)) {
      LeaveQuiet(*board);
      board.reset();  // what holds for all slots may be another by now: the roll's state, its proof
      continue;
    }
    if (plan.steps != before) continue;
    if (KeepClocks(*board)) continue;
    OfferPlacement(*board);
    ExplainWaiting(*board);
    plan.served = board->served();
    LeaveQuiet(*board);
    return plan;
  }
}

std::vector<SlotState> SlotStates(const AppState& app, const Moment& moment) {
  std::vector<SlotState> states;
  if (!app.desired) return states;
  AppState copy = app;
  AppEdit edit(copy, moment, "");
  Plan plan;
  const SlotBoard board(edit, plan);
  const DefinitionId goal = board.roll() ? Goal(*board.roll()) : board.desired().active;
  for (const auto& [index, slot] : board.slots()) {
    const bool updated = board.Ready(slot.ordinary) && board.SameContent(slot.ordinary->definition, goal);
    states.push_back({index, board.Serves(slot), updated});
  }
  return states;
}

int LeastServedRoute(const AppState& app, const Moment& moment) {
  if (!app.desired) return 0;
  AppState copy = app;
  AppEdit edit(copy, moment, "");
  Plan plan;
  const SlotBoard board(edit, plan);
  int least = board.instances();
  for (std::size_t place = 0; place < board.desired().routes.mapped.size(); ++place) {
    least = std::min(least, SlotsServing(board, place));
  }
  return least;
}

RollProgress Progress(const AppState& app, const Moment& moment) {
  RollProgress progress;
  if (!app.desired) return progress;
  AppState copy = app;
  AppEdit edit(copy, moment, "");
  Plan plan;
  const SlotBoard board(edit, plan);
  progress.instances = board.instances();
  progress.served = board.served();
  progress.in_flight = board.in_flight();
  for (const SlotState& state : SlotStates(app, moment)) {
    progress.updated += state.updated && state.index < board.instances() ? 1 : 0;
  }
  return progress;
}

}  // namespace baton
