// Router names first seen by this leader. A hand-over waits only for routers that were registered when its change
// began. Otherwise a client with a router certificate could block every roll by registering invented names. Memory
// only: a new leader treats every name in the rows as known. Rows are kept for a day.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "orchestrator/ports/router_names.h"

namespace baton {

class NewRouters final : public RouterNames {
 public:
  using Steady = std::chrono::steady_clock;

  // A name registers. `in_rows`: it was there before. One that said goodbye has no row, and is known for a day all the same.
  void Registered(const ConsumerId& id, bool in_rows, Steady::time_point now);
  // It has applied the whole table for the first time, at that time of the database: it serves from here on.
  void Serves(const ConsumerId& id, TimePoint since);
  // The administrator names them: they count as soon as they are registered (access file).
  void SetTrusted(std::set<std::string> names);
  void Clear();

  std::map<ConsumerId, TimePoint> CountedSince() const override;

 private:
  mutable std::mutex mutex_;
  std::map<ConsumerId, Steady::time_point> seen_;  // when it registered last
  std::map<ConsumerId, TimePoint> new_;            // of these, the new ones; the end of time: it has applied nothing yet
  std::set<std::string> trusted_;
};

}  // namespace baton
