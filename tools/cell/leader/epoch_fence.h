// Fences leaders by epoch: a cell obeys only leaders of one store, and none with an epoch below the highest that it has
// met. Kept in a file, so that after a restart it still refuses a deposed leader, or one of a restored or swapped
// database.
#pragma once

#include <cstdint>
#include <string>

#include "baton/v2/cells_service.pb.h"
#include "orchestrator/base/result.h"

namespace baton::cell {

class EpochFence {
 public:
  explicit EpochFence(std::string file);

  std::int64_t epoch() const { return epoch_; }         // 0: no leader was met
  const std::string& store() const { return store_; }  // empty: none so far

  // Whether what came may be obeyed; where it is of a later leader, that is on the disk first. FAILED_PRECONDITION: it
  // may not; UNAVAILABLE: it could not be written down.
  Status Accept(std::int64_t epoch);
  // `epoch`: of the message that carries it.
  Status Accept(const v2::CellWelcome& welcome, std::int64_t epoch);

  // As of a new cell: the first leader that comes is obeyed.
  void Forget();

 private:
  Status Keep(std::int64_t epoch, const std::string& store);

  std::string file_;
  std::int64_t epoch_ = 0;
  std::string store_;
};

}  // namespace baton::cell
