#include "orchestrator/roll/open_slots.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

namespace baton {
namespace {

// An open slot is looked up by its rows' names, which takes as long as a few that are laid out with all others: where
// many are open, as while a large app starts, all are.
constexpr int kOpenMost = 64;
constexpr int kQuietForEachOpen = 4;

QuietSlots::Seat SeatOf(const ActualLrp& lrp) { return {lrp.id, lrp.definition, lrp.cell_id}; }

Slot& Append(Slots& slots, int index) {
  Slot& slot = slots.emplace_hint(slots.end(), index, Slot{})->second;
  slot.index = index;
  return slot;
}

bool TooManyAreOpen(const SlotBoard& board) {
  const auto open =
      std::ranges::count_if(board.slots(), [&](const auto& entry) { return !IsQuiet(board, entry.second); });
  const auto quiet = std::ssize(board.slots()) - open + board.quiet();
  return open > kOpenMost && open * kQuietForEachOpen > quiet;
}

bool SlotsAreAsNew(const SlotBoard& board, const SlotBoard& fresh) {
  int found = 0;
  for (const auto& [index, slot] : fresh.slots()) {
    if (const Slot* own = board.Find(index)) {
      ++found;
      const bool same =
          own->share == slot.share && own->log == slot.log && std::ranges::is_permutation(own->rows, slot.rows);
      if (!same) return false;
      continue;
    }
    const auto& seats = board.app().quiet.seats();
    const auto seat = seats.find(index);
    if (board.of_all_slots() || seat == seats.end() || !IsQuiet(fresh, slot)) return false;
    if (seat->second != SeatOf(*slot.ordinary)) return false;
  }
  const auto gone = std::ranges::count_if(board.slots(), [&](const auto& entry) {
    return entry.first >= board.instances() && entry.second.rows.empty();  // above the count, and its last one is gone
  });
  return std::ssize(board.slots()) - gone == found && found + board.quiet() == std::ssize(fresh.slots());
}

}  // namespace

Slots LayAllSlots(const AppState& app) {
  const int instances = app.desired->instances;
  Slots slots;
  slots.reserve(static_cast<std::size_t>(instances));
  for (int i = 0; i < instances; ++i) Append(slots, i);
  std::vector<const ActualLrp*> above;
  for (const auto& [id, lrp] : app.actuals) {
    if (lrp.incarnation != app.desired->incarnation) continue;
    const bool wanted = lrp.index >= 0 && lrp.index < instances;
    wanted ? slots.nth(static_cast<std::size_t>(lrp.index))->second.rows.push_back(&lrp) : above.push_back(&lrp);
  }
  // In order: each of thousands that are scaled away would move all behind it.
  std::ranges::stable_sort(above, {}, &ActualLrp::index);
  for (const ActualLrp* lrp : above) Append(slots, lrp->index).rows.push_back(lrp);
  return slots;
}

Slots LayOpenSlots(const AppState& app) {
  Slots slots;
  for (const int index : app.quiet.open()) Append(slots, index);
  for (const ActualId& id : app.quiet.rows()) {
    const auto row = app.actuals.find(id);
    const bool present = row != app.actuals.end() && row->second.incarnation == app.desired->incarnation;
    if (present) slots.at(row->second.index).rows.push_back(&row->second);
  }
  return slots;
}

void BeginQuiet(AppEdit& edit, QuietSlots::Basis basis) {
  const std::int64_t incarnation = basis.incarnation;
  edit.quiet().Begin(std::move(basis), edit.now());
  for (const auto& [id, lrp] : edit.state().actuals) {
    if (lrp.incarnation != incarnation) edit.quiet().Touch(lrp);
  }
}

QuietSlots::Basis BasisOf(const SlotBoard& board) {
  const DesiredLrp& wanted = board.desired();
  const Roll* roll = board.roll();
  const Moment& moment = board.moment();
  QuietSlots::Basis basis{.incarnation = wanted.incarnation,
                          .instances = wanted.instances,
                          .strategy = board.strategy(),
                          .roll = roll ? roll->id : RollId(),
                          .goal = roll ? Goal(*roll) : wanted.active,
                          .consumers = moment.consumers,
                          .counted_since = moment.counted_since};
  if (wanted.routes.mapped.empty()) return basis;
  for (const auto& [key, definition] : board.app().definitions) {
    if (key.incarnation == wanted.incarnation) basis.ports[key.id] = board.Bound(key.id).by_route;
  }
  return basis;
}

bool CellsStay(const AppState& app, const Moment& moment) {
  return std::ranges::none_of(app.quiet.on_cells(),
                              [&](const auto& cell) { return moment.Lost(cell.first) || moment.Draining(cell.first); });
}

bool IsQuiet(const SlotBoard& board, const Slot& slot) {
  if (slot.index >= board.instances() || slot.rows.size() != 1 || slot.ordinary != slot.rows.front()) return false;
  const ActualLrp& lrp = *slot.ordinary;
  const bool stays = !lrp.retire_asked && !board.Lost(lrp) && !board.CellDrains(lrp) && !board.IsNewcomer(&lrp);
  const bool failed =
      slot.log && (slot.log->failed_attempts > 0 || slot.log->late_failures > 0 || slot.log->last_failure_at);
  return stays && board.Ready(&lrp) && !failed && !board.Failed(slot.index);
}

void LeaveQuiet(SlotBoard& board) {
  if (board.of_all_slots()) return;
  QuietSlots& quiet = board.edit().quiet();
  if (TooManyAreOpen(board) || !quiet.Holds(BasisOf(board), board.now())) return quiet.Forget();
  std::set<int> open;
  std::set<ActualId> rows;
  for (const auto& [index, slot] : board.slots()) {
    if (IsQuiet(board, slot)) {
      quiet.Add(index, SeatOf(*slot.ordinary));
      continue;
    }
    if (index < board.instances() || !slot.rows.empty()) open.insert(open.end(), index);
    for (const ActualLrp* lrp : slot.rows) rows.insert(lrp->id);
  }
  // What this board does not have: leftovers of older incarnations.
  std::ranges::copy_if(quiet.open(), std::inserter(open, open.end()), [&](int index) { return !board.Find(index); });
  for (const ActualId& id : quiet.rows()) {
    const auto row = board.app().actuals.find(id);
    if (row == board.app().actuals.end()) continue;
    const bool present = row->second.incarnation == board.desired().incarnation;
    if (!present || !board.Find(row->second.index)) rows.insert(id);
  }
  quiet.OpenAll(std::move(open), std::move(rows), board.now());
}

bool IsAsNew(SlotBoard& board) {
  Plan plan;
  const SlotBoard fresh(board.edit(), plan);
  return SlotsAreAsNew(board, fresh) && board.sum() == fresh.sum() && board.changing() == fresh.changing() &&
         board.hurting() == fresh.hurting();
}

}  // namespace baton
