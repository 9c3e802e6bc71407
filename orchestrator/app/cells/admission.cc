// Which cells the leader takes: by name, by store, and by the epochs that they have obeyed.
#include <set>

#include "orchestrator/app/cells/cells.h"

namespace baton {
namespace {

constexpr std::int64_t kEpochsAheadMax = 1'000'000;

}  // namespace

bool Cells::Clashes(const CellGreeting& greeting) const {
  const auto at = cells_.find(greeting.record.id);
  if (at == cells_.end() || !at->second.link) return false;
  // A directory's id is a word that can be repeated, a key is not: with another one it waits until the first is heard of no more.
  const bool same = !greeting.directory_id.empty() && greeting.directory_id == at->second.directory_id;
  return !(same && greeting.key == at->second.key) && Loop::Steady::now() - at->second.last_heard < timing_.heartbeat * 3;
}

Status Cells::Admit(const CellGreeting& greeting) {
  const std::string name = greeting.record.id.str();
  // First check: only the cell itself may speak for that cell.
  if (Clashes(greeting)) {
    log_.Error("cell_names_clash", {{"cell", name}, {"address", greeting.record.address}});
    return Error{ErrorKind::kAlreadyExists,
                 "another cell is called " + name + ", and is there; this one has another directory, or none, or another key: give one "
                 "of them another --id",
                 {}};
  }
  if (!store_.StandsFor(greeting.store_id)) {
    log_.Error("cell_of_another_store", {{"cell", name}, {"store", store_.id}, {"theirs", greeting.store_id}});
    return Error{ErrorKind::kFailedPrecondition,
                 "the cell belongs to store " + greeting.store_id + ", this is " + store_.id +
                     ": restore the right one, or start the cell once with --accept-store",
                 {}};
  }
  if (greeting.highest_epoch < 0 || greeting.highest_epoch > epoch_ + kEpochsAheadMax) {
    log_.Error("cell_epoch_is_nonsense", {{"cell", name}, {"epoch", epoch_}, {"theirs", greeting.highest_epoch}});
    return Error{ErrorKind::kInvalidArgument,
                 "highest_epoch is " + std::to_string(greeting.highest_epoch) + ", this leader's is " +
                     std::to_string(epoch_) + ": it must be from 0 to " + std::to_string(kEpochsAheadMax) +
                     " beyond it",
                 {}};
  }
  if (greeting.highest_epoch > epoch_) {
    log_.Error("cell_knows_a_higher_epoch", {{"cell", name}, {"epoch", epoch_}, {"theirs", greeting.highest_epoch}});
    // Only its own store's epochs can be compared with this one's.
    const bool ours = !greeting.store_id.empty() && greeting.store_id == store_.id;
    if (ours) NoteLaterEpoch(greeting.record.id, greeting.highest_epoch);
    return Error{ErrorKind::kUnavailable,
                 "the cell has seen epoch " + std::to_string(greeting.highest_epoch) + ", this leader's is " +
                     std::to_string(epoch_) + (ours ? ": if the database was restored, restore the right one, or start batond once with --accept-store"
                           : ": start the cell once with --accept-store if this is its store now"),
                 {}};
  }
  return Done{};
}

// One that is mistaken, or lies, ends its own stream and nothing else. A leader that does not know yet which cells are
// registered believes nobody: the cell comes back and says it again.
void Cells::NoteLaterEpoch(const CellId& id, std::int64_t epoch) {
  if (!knows_cells_) return;
  std::set<CellId> there;
  for (const auto& [known, cell] : cells_) {
    if (!cell.lapsed) there.insert(known);
  }
  const auto later = later_epochs_.Said(id, epoch, there, cells_.size());
  if (later && on_later_epoch_) on_later_epoch_(epoch_, *later);
}

}  // namespace baton
