// What a decision sees beside the app's own rows: the time and, read in the same transaction, cells and route
// consumers. And where new ids come from, so that the core itself needs no random.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "orchestrator/model/id.h"
#include "orchestrator/model/time.h"

namespace baton {

// A cell as the rules need it.
struct CellLease {
  TimePoint expires_at;
  bool draining = false;
};

class IdSource {
 public:
  virtual ~IdSource() = default;
  virtual std::string NewUuid() = 0;
  // Rises with each call and over restarts; names incarnations.
  virtual std::int64_t NewIncarnation() = 0;
};

struct Moment {
  TimePoint now;  // the database's clock
  std::map<CellId, CellLease> cells;
  std::set<ConsumerId> consumers;  // registered: their lease has not ended
  IdSource* ids = nullptr;

  // A cell is lost when its lease has ended, or when nobody knows it.
  bool Lost(const CellId& cell) const {
    const auto found = cells.find(cell);
    return found == cells.end() || found->second.expires_at <= now;
  }
  bool Draining(const CellId& cell) const {
    const auto found = cells.find(cell);
    return found != cells.end() && found->second.draining;
  }
};

}  // namespace baton
