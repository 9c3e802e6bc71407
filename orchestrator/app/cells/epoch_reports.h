// Cells' reports of epochs above the current one, which mean that the database was restored. One cell's report does not
// stop batond.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "orchestrator/model/id.h"

namespace baton {

class EpochReports {
 public:
  // `cell` has obeyed `epoch`. The epoch that enough cells have said by now: two of them; or one, where nobody else is
  // there, and it is half of all that are registered. `there`: those whose leases run. Nothing: not enough.
  std::optional<std::int64_t> Said(const CellId& cell, std::int64_t epoch, const std::set<CellId>& there,
                                   std::size_t registered);
  void Clear() { said_.clear(); }

 private:
  std::map<CellId, std::int64_t> said_;
};

}  // namespace baton
