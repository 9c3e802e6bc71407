// The planner's table: an app's rows laid out by slot, with the numbers that the guards need, kept right while steps
// are taken. Every change of an instance by the planner goes through here.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/base/check.h"
#include "orchestrator/model/app_edit.h"
#include "orchestrator/model/strategy.h"
#include "orchestrator/roll/plan.h"
#include "orchestrator/roll/slot.h"

namespace baton {

// Where an app's routes lead in the instances of one definition.
struct BoundPorts {
  std::vector<std::uint32_t> by_route;  // by their places in DesiredLrp::routes.mapped; 0: unbound
  std::vector<std::uint32_t> distinct;  // each port once, none of them 0
  bool all = true;                      // no route is unbound
};

// Which slots a board has. The others are quiet: one instance runs there and serves, and no rule asks anything of it or
// of its cell. Of those it has numbers.
enum class BoardOf { kAllSlots, kOpenSlots };

class SlotBoard {
 public:
  // The app is desired; `edit` holds all of its rows.
  SlotBoard(AppEdit& edit, Plan& plan, BoardOf slots = BoardOf::kAllSlots);

  AppEdit& edit() { return edit_; }
  Plan& plan() { return plan_; }
  const AppState& app() const { return edit_.state(); }
  const DesiredLrp& desired() const { return *edit_.state().desired; }
  const Strategy& strategy() const { return StrategyOf(app()); }
  const Roll* roll() const { return edit_.state().roll ? &*edit_.state().roll : nullptr; }
  const Moment& moment() const { return edit_.moment(); }
  TimePoint now() const { return edit_.now(); }
  int instances() const { return desired().instances; }
  const Limits& limits() const { return limits_; }

  // Slots that have a row, or are below the instance count, and are not quiet; by index.
  Slots& slots() { return slots_; }
  const Slots& slots() const { return slots_; }
  // It is one of those.
  Slot& slot(int index) {
    const auto at = Place(index);
    CHECK(at != slots_.end());
    return at->second;
  }
  // Null: it is none of those.
  const Slot* Find(int index) const {
    const auto at = Place(index);
    return at == slots_.end() ? nullptr : &at->second;
  }

  // --- Quiet slots (roll/open_slots.h)
  bool of_all_slots() const { return slots_are_ == BoardOf::kAllSlots; }
  int quiet() const { return of_all_slots() ? 0 : static_cast<int>(app().quiet.seats().size()); }
  // Those whose instance is of such a definition.
  template <class Is>
  int QuietOf(Is&& is) const {
    int count = 0;
    if (of_all_slots()) return count;
    for (const auto& [id, slots] : app().quiet.by_definition()) count += is(id) ? static_cast<int>(slots.size()) : 0;
    return count;
  }
  // The first one, from this index on, that does not run the open roll's goal.
  std::optional<int> NextQuietBehind(int from) const;
  // From here on it is one of slots(). References to others are not valid any more.
  Slot& OpenSlot(int index);

  // --- Words of rolls.md
  const Definition& definition(const DefinitionId& id) const;
  bool SameContent(const DefinitionId& a, const DefinitionId& b) const;
  bool IsGoal(const DefinitionId& id) const;  // what the open roll goes to
  bool RunsGoal(const ActualLrp* lrp) const;
  bool IsNewcomer(const ActualLrp* lrp) const;  // of the open roll, and not handed over yet
  bool Ready(const ActualLrp* lrp) const;
  bool Serves(const Slot& slot) const;
  bool HasEndpoint(const ActualLrp& lrp) const;
  // A port that a route leads to in its definition, and that its cell has not mapped: it cannot serve; 0: none.
  std::uint32_t UnmappedPort(const ActualLrp& lrp) const;
  const BoundPorts& Bound(const DefinitionId& id) const;
  // Routers that a hand-over of it waits for: all that are registered, but for those of a name that was new when the change began.
  std::vector<ConsumerId> CountedRouters(const ActualLrp& lrp) const;
  bool AppliedByAll(const ActualLrp& lrp) const;
  bool Lost(const ActualLrp& lrp) const;  // its cell is
  // Its cell is lost, and, where the app must never run twice, has had the time to stop it by itself.
  bool GoneWithCell(const ActualLrp& lrp) const;
  bool CellDrains(const ActualLrp& lrp) const;
  bool Overdue(const ActualLrp& lrp) const;
  // An UNCLAIMED row that waits until what ran in its slot is gone: not placed, not counted.
  bool WaitsForSlot(const Slot& slot, const ActualLrp& lrp) const;
  Duration StartTimeout(const ActualLrp& lrp) const;
  bool CanSurge() const { return limits_.max_surge > 0; }
  // Rolling or going back: steps towards the goal are taken.
  bool Moves() const;
  bool Proved() const { return roll() && roll()->proved_at.has_value(); }

  const SlotLog& Log(int index) const;
  bool Failed(int index) const;   // as many failed attempts as max_failures
  bool GivenUp(int index) const;  // failed, and on_failure is CONTINUE
  bool Hurts(const Slot& slot) const;  // this roll handed it over, and it is not well (handed_over.h)
  // When the next attempt in this slot may start; nothing: now.
  std::optional<TimePoint> BackOffUntil(int index) const;

  // --- Numbers
  int served() const { return sum_.served; }
  int counted() const { return sum_.counted; }      // rows against the ceiling
  int stopping() const { return sum_.stopping; }    // of these, those that will be gone by themselves
  int trying() const { return sum_.trying; }        // slots with a newcomer, or in back-off after a failed one
  int in_flight() const { return sum_.in_flight; }  // slots that are being changed: those, and where an old one stops
  int towards() const { return sum_.towards; }      // wanted slots that run the goal or have a newcomer of it
  // Slots with a newcomer, in back-off after a failed one, or where an old one stops.
  const std::set<int>& changing() const { return changing_; }
  const std::set<int>& hurting() const { return hurting_; }  // slots that Hurts() is true of
  // Rows whose definition leads some mapped route nowhere. None: each served slot serves all routes.
  int partial() const { return sum_.partial; }
  // Wanted slots that serve nobody because of the roll: their newcomer is in the old one's place, and not ready.
  int replaced() const { return sum_.replaced; }
  int least_served() const { return instances() - limits_.max_unavailable; }

  // --- Steps. Each keeps slots and numbers right and is logged in the open roll, if there is one.
  struct Why {
    StepKind kind;
    std::string text;
    Duration start_took{0};
    Duration stop_took{0};
  };
  const ActualLrp& Make(int index, Presence presence, const DefinitionId& definition, bool newcomer,
                        std::optional<TimePoint> down_since, Why why);
  void Retire(const ActualLrp& lrp, Why why);
  void Remove(const ActualLrp& lrp, Why why);
  // RETIRING if it may run, gone if it runs nowhere.
  void RetireOrRemove(const ActualLrp& lrp, Why why);
  // Any other change of a row.
  template <class Change>
  void Alter(const ActualLrp& lrp, Why why, Change&& change) {
    ActualLrp& row = edit_.Change(lrp.id);
    change(row);
    After(row, std::move(why));
  }
  void Refresh(int index);
  void Count(int steps) { plan_.steps += steps; }
  const SlotShare& sum() const { return sum_; }

 private:
  // What one quiet slot of this definition adds.
  SlotShare ShareOfQuiet(const DefinitionId& id) const;
  SlotShare ShareOf(const Slot& slot) const;
  void Refresh(Slot& slot);
  // Where all slots are there, those that are wanted are the first ones, but for what nobody can have written.
  Slots::iterator Place(int index) {
    const bool nth = index >= 0 && static_cast<std::size_t>(index) < slots_.size();
    const auto at = nth ? slots_.nth(static_cast<std::size_t>(index)) : slots_.end();
    return nth && at->first == index ? at : slots_.find(index);
  }
  Slots::const_iterator Place(int index) const { return const_cast<SlotBoard*>(this)->Place(index); }
  void After(const ActualLrp& lrp, Why why);
  void LogIfRolling(int index, const ActualLrp* lrp, Why why);
  static void Arrange(Slot& slot);

  AppEdit& edit_;
  Plan& plan_;
  const BoardOf slots_are_;
  Limits limits_;
  Slots slots_;
  std::set<int> changing_;
  mutable std::map<DefinitionId, BoundPorts> bound_;
  std::set<int> hurting_;
  SlotShare sum_;  // of all slots, the quiet ones, too
};

}  // namespace baton
