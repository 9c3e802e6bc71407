#include "orchestrator/app/apps/rebalance.h"

#include <algorithm>

#include "orchestrator/model/names.h"
#include "orchestrator/placement/rebalance.h"
#include "orchestrator/roll/retirement.h"
#include "orchestrator/roll/slot_board.h"

namespace baton {
namespace {

std::string Instances(std::size_t count) { return std::to_string(count) + (count == 1 ? " instance" : " instances"); }

std::string WhyNotSettled(const SlotBoard& board, const Slot& slot) {
  const std::string name = "slot " + std::to_string(slot.index);
  if (slot.surge || slot.suspect || slot.evacuating || !slot.retiring.empty()) return name + " is being changed";
  if (!slot.ordinary || !board.Ready(slot.ordinary)) return name + " is not ready";
  if (slot.ordinary->retire_asked || board.CellDrains(*slot.ordinary)) return name + " is to be replaced anyway";
  return "";
}

// Why nothing of this app is moved now, whatever its spread; empty: it may be.
std::string WhyNotNow(const SlotBoard& board, const std::vector<CellOffer>& cells) {
  if (board.strategy().mode == Mode::kRecreate) {
    return "its strategy is RECREATE: an instance would stop before its replacement starts";
  }
  if (board.roll()) return "its roll to " + Goal(*board.roll()).str() + " is open, and places what it starts";
  for (const auto& [index, slot] : board.slots()) {
    std::string why = WhyNotSettled(board, slot);
    if (!why.empty()) return why + ": ask again when it has settled";
    const bool connected =
        std::ranges::any_of(cells, [&](const CellOffer& cell) { return cell.id == slot.ordinary->cell_id; });
    if (!connected) {
      return "cell " + slot.ordinary->cell_id.str() + ", where slot " + std::to_string(index) + " runs, is not connected";
    }
  }
  return "";
}

std::string Outcome(const SlotBoard& board, const Moves& planned, const RebalanceWish& wish) {
  if (!planned.blocked.empty()) return "it is spread unevenly, and no cell that has fewer takes one: " + planned.blocked;
  if (planned.moves.empty()) return "it is spread evenly";
  std::string text = Instances(planned.moves.size());
  text += wish.dry_run ? " would move" : planned.moves.size() == 1 ? " is moved" : " are moved";
  text += ", " + std::to_string(RetiredAtOnce(board.strategy(), board.limits())) + " at a time";
  return planned.more ? text + "; more are to be moved after that" : text;
}

}  // namespace

Status DecideRebalance(AppEdit& edit, const std::vector<CellOffer>& cells, const RebalanceWish& wish, Rebalance& out) {
  const AppState& app = edit.state();
  out = {};
  if (!app.desired) return Error{ErrorKind::kNotFound, "process_guid " + app.guid.str() + " is not desired"};
  {
    Plan plan;
    const SlotBoard board(edit, plan);
    out.outcome = WhyNotNow(board, cells);
    if (!out.outcome.empty()) return Done{};
    std::vector<CellId> seats;
    std::vector<const ActualLrp*> rows;
    for (const auto& [index, slot] : board.slots()) {
      rows.push_back(slot.ordinary);
      seats.push_back(slot.ordinary->cell_id);
    }
    const Moves planned = PlanMoves(board.definition(board.desired().active), seats, cells, wish.most);
    for (const Move& move : planned.moves) {
      const ActualLrp& lrp = *rows[move.seat];
      out.moved.push_back({lrp.id, lrp.instance_guid, lrp.index, lrp.cell_id, move.to, move.why});
    }
    out.outcome = Outcome(board, planned, wish);
  }
  if (wish.dry_run) return Done{};
  for (const MovedInstance& one : out.moved) edit.Change(one.id).retire_asked = true;
  return Done{};
}

}  // namespace baton
