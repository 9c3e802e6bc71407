// Slots of an app in which the planner found nothing to do, so that its next pass looks at the others only
// (roll/open_slots.h; docs/decisions/0056). What is lost of it costs one look at all slots.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "orchestrator/base/time.h"
#include "orchestrator/model/actual_lrp.h"
#include "orchestrator/model/id.h"
#include "orchestrator/model/strategy.h"

namespace baton {

class QuietSlots {
 public:
  // What a slot's being quiet depends on, beside its own row, its log, its cell and the time.
  struct Basis {
    std::int64_t incarnation = 0;
    int instances = 0;
    Strategy strategy;
    RollId roll;                                               // the open one
    DefinitionId goal;                                         // its goal, or the active definition
    std::map<DefinitionId, std::vector<std::uint32_t>> ports;  // where routes lead in instances of each definition
    std::set<ConsumerId> consumers;
    std::map<ConsumerId, TimePoint> counted_since;

    bool operator==(const Basis&) const = default;
  };
  // Of a quiet slot's only row.
  struct Seat {
    ActualId id;
    DefinitionId definition;
    CellId cell;

    bool operator==(const Seat&) const = default;
  };

  // Of whoever tells each change of a row (Touch) from here on. Before that nothing is remembered.
  void Keep() { kept_ = true; }
  bool kept() const { return kept_; }

  // All slots are to be looked at.
  void Forget();
  // Nothing is quiet yet.
  void Begin(Basis basis, TimePoint now);
  // Whether the slots that were quiet then are so now, but for those that were touched.
  bool Holds(const Basis& basis, TimePoint now) const { return known() && at_ <= now && *basis_ == basis; }
  bool known() const { return basis_.has_value(); }
  bool AreOf(std::int64_t incarnation) const { return known() && basis_->incarnation == incarnation; }

  // The row was, or is about to be, changed; or it is new, or gone.
  void Touch(const ActualLrp& lrp);
  // What its roll's steps say of the slot was changed.
  void TouchSlot(int index);

  void Add(int index, Seat seat);
  // The slot is to be looked at. Gives what it was, if it was quiet.
  std::optional<Seat> Open(int index);
  // Every slot that is to be looked at, and every row that is in no quiet slot, as far as it is still there.
  void OpenAll(std::set<int> slots, std::set<ActualId> rows, TimePoint now);

  const std::map<int, Seat>& seats() const { return seats_; }
  const std::map<DefinitionId, std::set<int>>& by_definition() const { return by_definition_; }
  const std::map<CellId, int>& on_cells() const { return on_cells_; }
  const std::set<int>& open() const { return open_; }
  const std::set<ActualId>& rows() const { return rows_; }

 private:
  bool kept_ = false;
  std::optional<Basis> basis_;
  TimePoint at_;  // of the last pass
  std::map<int, Seat> seats_;
  std::map<DefinitionId, std::set<int>> by_definition_;  // of the seats; none is empty
  std::map<CellId, int> on_cells_;                       // of the seats; none is 0
  std::set<int> open_;
  std::set<ActualId> rows_;
};

}  // namespace baton
