#include "tools/cell/leader/epoch_fence.h"

#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "orchestrator/model/fleet/store_identity.h"
#include "tools/shim/atomic_file.h"

namespace baton::cell {

EpochFence::EpochFence(std::string file) : file_(std::move(file)) {
  std::istringstream(shim::ReadWholeFile(file_).value_or("")) >> epoch_ >> store_;
}

Status EpochFence::Accept(std::int64_t epoch) {
  if (epoch < epoch_) {
    return Error{ErrorKind::kFailedPrecondition,
                 "its epoch " + std::to_string(epoch) + " is not " + std::to_string(epoch_) + " or higher",
                 {}};
  }
  return Keep(epoch, store_);
}

Status EpochFence::Accept(const v2::CellWelcome& welcome, std::int64_t epoch) {
  const StoreIdentity theirs{welcome.store_id(), {welcome.accepted_store_ids().begin(), welcome.accepted_store_ids().end()}};
  if (!theirs.StandsFor(store_)) {
    return Error{ErrorKind::kFailedPrecondition,
                 "it leads store " + theirs.id + ", this cell belongs to " + store_ +
                     ": restore the right one, or start the cell once with --accept-store",
                 {}};
  }
  if (const Status accepted = Accept(std::min(epoch, welcome.epoch())); !accepted) return accepted;
  return Keep(epoch_, theirs.id.empty() ? store_ : theirs.id);
}

Status EpochFence::Keep(std::int64_t epoch, const std::string& store) {
  if (epoch == epoch_ && store == store_) return Done{};
  if (Status kept = shim::WriteWholeFile(file_, std::to_string(epoch) + " " + store + "\n", shim::Durability::kMachine);
      !kept) {
    return Error{ErrorKind::kUnavailable, "it could not be written down whom this cell obeys: " + kept.error().message, {}};
  }
  epoch_ = epoch;
  store_ = store;
  return Done{};
}

void EpochFence::Forget() {
  unlink(file_.c_str());
  epoch_ = 0;
  store_.clear();
}

}  // namespace baton::cell
