// What each router has said of instances' load, until it is too old to be of use. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "orchestrator/model/id.h"

namespace baton {

// What one router says of one instance.
struct InstanceLoad {
  std::int64_t sessions = 0;  // requests or TCP connections in progress, and those that wait
  std::optional<double> requests_per_s;

  bool operator==(const InstanceLoad&) const = default;
};

class RouteLoads {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using OfInstances = std::map<ActualId, InstanceLoad>;

  // Routers tell it each 2 s.
  static constexpr std::chrono::seconds kKept{7};

  // All that the router says now; what it said before is forgotten.
  void Take(const ConsumerId& router, OfInstances loads, Time now);
  void Forget(const ConsumerId& router) { told_.erase(router); }

  // Of all routers that have lately said something of it.
  struct Sum {
    InstanceLoad load;
    int routers = 0;  // that have said something of it
    int busy = 0;     // and have a session there

    bool operator==(const Sum&) const = default;
  };
  std::optional<Sum> Of(const ActualId& instance, Time now) const;

 private:
  struct Told {
    Time at;
    OfInstances loads;
  };
  std::map<ConsumerId, Told> told_;
};

}  // namespace baton
