// What a decision sees beside the app's own rows: the time and, read in the same transaction, cells and route
// consumers. And where new ids come from, so that the core itself needs no random.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string>

#include "orchestrator/base/time.h"
#include "orchestrator/model/id.h"

namespace baton {

// A cell as the rules need it.
struct CellLease {
  TimePoint expires_at;
  bool draining = false;
  // Its lease has ended, and it was declared missing (convergence/cells.h): an ended lease alone is waited out.
  bool missing = false;
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
  // When each was last heard of, having applied what it was told when it connected; one that is not in it: now.
  std::map<ConsumerId, TimePoint> heard;
  // Those of a name that is new: a hand-over waits for one only where its change began later. One that is not in it: always.
  std::map<ConsumerId, TimePoint> counted_since;
  std::set<std::string> fresh_domains;
  IdSource* ids = nullptr;

  // A cell is lost when it was declared missing, or when it is not registered.
  bool Lost(const CellId& cell) const {
    const auto found = cells.find(cell);
    return found == cells.end() || found->second.missing;
  }
  bool HeardSince(const ConsumerId& consumer, TimePoint then) const {
    const auto found = heard.find(consumer);
    return found == heard.end() || found->second >= then;
  }
  bool CountsFor(const ConsumerId& consumer, TimePoint change) const {
    const auto found = counted_since.find(consumer);
    return found == counted_since.end() || found->second <= change;
  }
  bool Draining(const CellId& cell) const {
    const auto found = cells.find(cell);
    return found != cells.end() && found->second.draining;
  }
};

}  // namespace baton
