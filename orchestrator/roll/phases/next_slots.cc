// Next slots: with surge a newcomer beside the old one; without, the old one makes room first.
#include <algorithm>
#include <optional>
#include <string>

#include "orchestrator/roll/phases/phases.h"
#include "orchestrator/roll/rules/guards.h"

namespace baton {
namespace {

bool MayBeNext(const SlotBoard& board, const Slot& slot, bool asked) {
  if (!slot.ordinary || slot.ordinary->retire_asked != asked) return false;
  if (slot.surge || board.RunsGoal(slot.ordinary) || board.GivenUp(slot.index)) return false;
  if (board.BackOffUntil(slot.index)) return false;  // ExplainWaiting says so and wakes
  return board.CanSurge() || !slot.evacuating;       // its cell drains: the restart rule replaces it
}

class Turn {
 public:
  explicit Turn(SlotBoard& board) : board_(board) {}

  // Those with a RetireInstances request come first; within each group the lowest index first.
  void TakeAll() {
    for (const bool asked : {true, false}) {
      for (auto index = NextBehind(0, asked); index; index = NextBehind(*index + 1, asked)) {
        if (!Take(*index)) return;
      }
    }
  }

 private:
  // The first one from this index on, open or quiet. Nobody asks anything of a quiet one.
  std::optional<int> NextBehind(int from, bool asked) const {
    std::optional<int> next = asked || quiet_waits_ ? std::nullopt : board_.NextQuietBehind(from);
    const int end = next.value_or(board_.instances());
    for (auto at = board_.slots().lower_bound(from); at != board_.slots().end() && at->first < end; ++at) {
      if (MayBeNext(board_, at->second, asked)) return at->first;
    }
    return next;
  }

  // False: nothing more can be done in this pass.
  bool Take(int index) {
    if (board_.plan().made >= kMadeInOnePass) {
      board_.plan().WakeAt(board_.now());
      return false;
    }
    if (all_wait_) {
      if (board_.plan().named == Reasons::kFirst) return false;
      all_wait_->index = index;
      board_.plan().reasons.push_back(*all_wait_);
      return true;
    }
    const bool quiet = !board_.Find(index);
    Slot& slot = board_.OpenSlot(index);
    all_wait_ = CheckNewcomer(board_, slot, board_.CanSurge() ? Beside::kOld : Beside::kNothing);
    if (!all_wait_ && !board_.CanSurge()) all_wait_ = CheckReplaced(index);
    if (all_wait_) {
      board_.plan().reasons.push_back(*all_wait_);
    } else if (board_.CanSurge()) {
      Surge(index);
    } else {
      Replace(slot, quiet);
    }
    return true;
  }

  void Surge(int index) {
    board_.Make(index, Presence::kSurge, Goal(*board_.roll()), /*newcomer=*/true, std::nullopt,
                {StepKind::kSurged, "beside the old instance"});
  }

  Refusal CheckReplaced(int index) const {
    const int replaced = board_.replaced();
    if (replaced < board_.limits().max_unavailable) return std::nullopt;
    return Reason{rule::kFloor,
                  index,
                  std::to_string(replaced) + " slots are being replaced, max_unavailable is " +
                      std::to_string(board_.limits().max_unavailable),
                  std::nullopt,
                  std::nullopt,
                  "one of them is ready"};
  }

  void Replace(Slot& slot, bool quiet) {
    if (Refusal refusal = CheckLeave(board_, slot, *slot.ordinary, Goal(*board_.roll()))) {
      quiet_waits_ |= quiet && refusal->rule == rule::kFloor && board_.plan().named == Reasons::kFirst;
      return board_.plan().reasons.push_back(*std::move(refusal));
    }
    const auto down_since = board_.Serves(slot) ? std::optional<TimePoint>() : slot.ordinary->down_since;
    board_.RetireOrRemove(*slot.ordinary, {StepKind::kWithdrawn, "it makes room for the newcomer"});
    board_.Make(slot.index, Presence::kOrdinary, Goal(*board_.roll()), /*newcomer=*/true, down_since,
                {StepKind::kReplaced, "in the old instance's place"});
  }

  SlotBoard& board_;
  Refusal all_wait_;          // once no newcomer may come, no step is taken that would change it
  bool quiet_waits_ = false;  // each of them serves: as the floor keeps one, it keeps the others
};

}  // namespace

void NextSlots(SlotBoard& board) {
  if (board.Moves()) Turn(board).TakeAll();
}

}  // namespace baton
