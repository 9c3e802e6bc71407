#include "orchestrator/routing/route_loads.h"

#include <utility>

namespace baton {

void RouteLoads::Take(const ConsumerId& router, OfInstances loads, Time now) {
  told_[router] = {now, std::move(loads)};
}

std::optional<RouteLoads::Sum> RouteLoads::Of(const ActualId& instance, Time now) const {
  Sum sum;
  for (const auto& [router, told] : told_) {
    const auto found = told.loads.find(instance);
    if (now - told.at > kKept || found == told.loads.end()) continue;
    const InstanceLoad& load = found->second;
    ++sum.routers;
    if (load.sessions > 0) ++sum.busy;
    sum.load.sessions += load.sessions;
    if (load.requests_per_s) sum.load.requests_per_s = sum.load.requests_per_s.value_or(0) + *load.requests_per_s;
  }
  return sum.routers > 0 ? std::optional(sum) : std::nullopt;
}

}  // namespace baton
