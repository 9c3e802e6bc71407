#include "orchestrator/model/quiet_slots.h"

#include <utility>

#include "orchestrator/base/check.h"

namespace baton {

void QuietSlots::Forget() {
  const bool kept = kept_;
  *this = {};
  kept_ = kept;
}

void QuietSlots::Begin(Basis basis, TimePoint now) {
  Forget();
  basis_ = std::move(basis);
  at_ = now;
}

void QuietSlots::Touch(const ActualLrp& lrp) {
  if (!known()) return;
  rows_.insert(lrp.id);
  if (lrp.incarnation == basis_->incarnation) (void)Open(lrp.index);
}

void QuietSlots::TouchSlot(int index) {
  if (known()) (void)Open(index);
}

void QuietSlots::Add(int index, Seat seat) {
  by_definition_[seat.definition].insert(index);
  ++on_cells_[seat.cell];
  const bool fresh = seats_.emplace(index, std::move(seat)).second;
  CHECK(fresh);
}

std::optional<QuietSlots::Seat> QuietSlots::Open(int index) {
  open_.insert(index);
  const auto at = seats_.find(index);
  if (at == seats_.end()) return std::nullopt;
  Seat seat = std::move(at->second);
  seats_.erase(at);
  rows_.insert(seat.id);
  const auto definition = by_definition_.find(seat.definition);
  definition->second.erase(index);
  if (definition->second.empty()) by_definition_.erase(definition);
  const auto cell = on_cells_.find(seat.cell);
  if (--cell->second == 0) on_cells_.erase(cell);
  return seat;
}

void QuietSlots::OpenAll(std::set<int> slots, std::set<ActualId> rows, TimePoint now) {
  at_ = now;  // nothing holds before the last pass
  open_ = std::move(slots);
  rows_ = std::move(rows);
}

}  // namespace baton
