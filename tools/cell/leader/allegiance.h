// Whom a cell obeys: the leaders of one store, and none before the latest that it has met. Kept in a file, so that it
// holds over restarts: a deposed leader, or one of a database that was restored or swapped, must not be believed then.
#pragma once

#include <cstdint>
#include <string>

#include "baton/v2/cells_service.pb.h"
#include "orchestrator/base/result.h"

namespace baton {

class Allegiance {
 public:
  explicit Allegiance(std::string file);

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

}  // namespace baton
