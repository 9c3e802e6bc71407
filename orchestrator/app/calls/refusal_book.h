// Rate limit for recording refused writes, so that a caller cannot fill the disk. Each actor has a token bucket, and so
// have all actors together. Refusals beyond it are counted; once there is a token, the latest one is recorded with the
// number of those before it.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/ports/audit_store.h"

namespace baton {

class RefusalBook {
 public:
  using Time = std::chrono::steady_clock::time_point;
  struct Rate {
    double at_once;
    Duration one_each;  // from then on
  };
  struct Limits {
    Rate actor{20, std::chrono::minutes(1)};
    Rate all{500, seconds(30)};
    std::size_t actors_max = 1000;  // told apart; the names are the callers' own. Further ones share one rate
    std::size_t due_max = 1000;     // kept in memory until they are written
  };

  explicit RefusalBook(Limits limits) : limits_(limits), all_{limits.all.at_once, {}} {}

  // False: it is left out for now.
  bool Add(AuditEntry entry, Time now);
  // What is to be written, in the order of its being refused, and is forgotten here. `all`: also what was left out, a
  // row an actor, whatever its rate.
  std::vector<RefusedWrite> TakeDue(Time now, bool all = false);
  void Clear();

 private:
  struct Due {
    AuditEntry entry;
    Time at;
  };
  struct Bucket {
    double left;
    Time at;
  };
  struct Actor {
    Bucket bucket;
    std::optional<Due> last;    // of those left out
    std::int64_t left_out = 0;  // before it
  };

  static Bucket Filled(const Bucket& bucket, const Rate& rate, Time now);
  bool Take(Actor& actor, Time now);
  Actor& Find(const std::string& name, Time now);

  const Limits limits_;
  Bucket all_;
  std::map<std::string, Actor> actors_;
  std::vector<Due> due_;
};

}  // namespace baton
