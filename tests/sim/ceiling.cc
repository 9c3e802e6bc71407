#include "tests/sim/ceiling.h"

#include <algorithm>
#include <vector>

namespace baton::sim {
namespace {

class Rows {
 public:
  Rows(const Ceiling& ceiling, const std::map<ActualId, ActualLrp>& before, const AppState& app)
      : ceiling_(ceiling), before_(before), app_(app) {}

  bool Wanted(const ActualLrp& lrp) const { return Here(lrp) && lrp.index < app_.desired->instances; }
  bool Stops(const ActualLrp& lrp) const {
    const bool overdue = lrp.stop_ordered_at && *lrp.stop_ordered_at + ceiling_.stop_timeout <= ceiling_.now;
    return Here(lrp) && lrp.presence == Presence::kRetiring && !overdue && ceiling_.count_stopping;
  }
  // Already before this commit, so that it could be waited for.
  bool Stopped(const ActualLrp& lrp) const {
    const auto old = before_.find(lrp.id);
    return Stops(lrp) && old != before_.end() && old->second.presence == Presence::kRetiring;
  }
  bool Counts(const ActualLrp& lrp) const {
    // Above the count it is trimmed last of all.
    if (lrp.presence == Presence::kRetiring) return Wanted(lrp) ? Stops(lrp) : Stopped(lrp);
    const bool placed = lrp.presence == Presence::kOrdinary || lrp.presence == Presence::kSurge;
    return placed && Wanted(lrp) && !Waits(lrp);
  }
  // A repair that has to pass the ceiling.
  bool Excused(const ActualLrp& lrp) const {
    if (lrp.presence != Presence::kOrdinary || Waits(lrp) || ceiling_.recreate) return true;
    if (Any([&](const ActualLrp& row) { return Beside(row, lrp, Presence::kSuspect, Presence::kEvacuating); })) return true;
    bool had = false;
    bool ended = false;  // the old instance, and not only the newcomer beside it (seeds 579303, 603369)
    for (const auto& [id, row] : before_) {
      if (!Beside(row, lrp, Presence::kOrdinary, Presence::kSurge)) continue;
      had = true;
      ended |= !MayRun(row) || GivenUp(row);
    }
    if (ended) return true;                           // one for another
    if (had && ceiling_.floor_at_stake) return true;  // a slot that served nobody is filled
    // Nobody is there any more: also where the last one has just been given up (seed 47410).
    return std::ranges::none_of(before_, [&](const auto& entry) { return IsThere(entry.second); });
  }

 private:
  // Before this commit and after it, and not about to stop.
  bool IsThere(const ActualLrp& lrp) const {
    const auto now = app_.actuals.find(lrp.id);
    return Wanted(lrp) && lrp.presence != Presence::kRetiring && now != app_.actuals.end() &&
           now->second.presence != Presence::kRetiring;
  }
  // Claimed by a cell that is lost: the commit takes the claim away and puts another row there (seed 41482).
  bool GivenUp(const ActualLrp& lrp) const { return lrp.state == LrpState::kClaimed && ceiling_.lost(lrp.cell_id); }
  bool Here(const ActualLrp& lrp) const { return lrp.incarnation == app_.desired->incarnation; }
  // Without surge a row waits until what ran in its slot is gone.
  bool Waits(const ActualLrp& lrp) const {
    return !ceiling_.surges && lrp.state == LrpState::kUnclaimed &&
           Any([&](const ActualLrp& row) { return Beside(row, lrp, Presence::kRetiring, Presence::kRetiring); });
  }
  static bool Beside(const ActualLrp& row, const ActualLrp& lrp, Presence one, Presence other) {
    return row.id != lrp.id && row.incarnation == lrp.incarnation && row.index == lrp.index &&
           (row.presence == one || row.presence == other);
  }
  template <class Is>
  bool Any(Is is) const {
    return std::ranges::any_of(app_.actuals, [&](const auto& entry) { return is(entry.second); });
  }

  const Ceiling& ceiling_;
  const std::map<ActualId, ActualLrp>& before_;
  const AppState& app_;
};

}  // namespace

std::string CheckCeiling(const Ceiling& ceiling, const std::map<ActualId, ActualLrp>& before, const AppState& app,
                         const AppChanges& changes) {
  const Rows rows(ceiling, before, app);
  int counted = 0;
  int stopped = 0;
  int excused = 0;
  bool surged = false;
  bool repaired = false;
  for (const auto& [id, lrp] : app.actuals) {
    const bool made = changes.inserted.contains(id) && rows.Wanted(lrp);
    stopped += rows.Stopped(lrp) ? 1 : 0;
    surged |= made && lrp.presence == Presence::kSurge;
    if (!rows.Counts(lrp)) continue;
    ++counted;
    if (!made || lrp.presence == Presence::kSurge) continue;
    const bool right = rows.Excused(lrp);
    repaired |= !right;
    excused += right ? 1 : 0;
  }
  if (surged ? counted <= ceiling.rows : counted - excused <= ceiling.rows) return {};
  if (!surged && (!repaired || stopped == 0)) return {};
  return std::to_string(counted) + " rows, " + std::to_string(ceiling.rows) + " allowed, " + std::to_string(excused) +
         " had to be made";
}

}  // namespace baton::sim
