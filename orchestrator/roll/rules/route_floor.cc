#include "orchestrator/roll/rules/route_floor.h"

#include <algorithm>
#include <string>

#include "orchestrator/routing/bindings.h"

namespace baton {
namespace {

bool Leads(const SlotBoard& board, const ActualLrp* lrp, std::size_t place) {
  return board.Ready(lrp) && board.Bound(lrp->definition).by_route[place] != 0;
}

bool ServesRoute(const SlotBoard& board, const Slot& slot, std::size_t place, const ActualLrp* but = nullptr) {
  const auto leads = [&](const ActualLrp* lrp) { return lrp != but && Leads(board, lrp, place); };
  return leads(slot.ordinary) || leads(slot.surge) || leads(slot.evacuating);
}

bool AcceptedIn(const SlotBoard& board, const MappedRoute& route, const DefinitionId& id) {
  return BindingOf(route, Ports(board.definition(id), board.desired().routes)).accepted;
}

// A caller accepted that the route is unserved by the definition that takes the slot, and still accepts it for the
// roll's target. What the definition being replaced accepted does not count (simulation seed 629742).
bool Accepted(const SlotBoard& board, const MappedRoute& route, const DefinitionId& brings) {
  const DefinitionId& goal = board.roll() ? Goal(*board.roll()) : board.desired().active;
  return !brings.empty() && AcceptedIn(board, route, brings) && AcceptedIn(board, route, goal);
}

}  // namespace

int SlotsServing(const SlotBoard& board, std::size_t place) {
  const auto open =
      std::ranges::count_if(board.slots(), [&](const auto& entry) { return ServesRoute(board, entry.second, place); });
  return static_cast<int>(open) +
         board.QuietOf([&](const DefinitionId& id) { return board.Bound(id).by_route[place] != 0; });
}

Refusal CheckRouteFloor(const SlotBoard& board, const Slot& slot, const ActualLrp& leaving,
                        const DefinitionId& brings) {
  const auto& routes = board.desired().routes.mapped;
  // Where each definition that runs leads every route somewhere, the plain floor says all there is to say.
  if (board.partial() == 0 || board.least_served() <= 0 || !board.Ready(&leaving)) return std::nullopt;
  for (std::size_t place = 0; place < routes.size(); ++place) {
    if (!Leads(board, &leaving, place) || ServesRoute(board, slot, place, &leaving)) continue;
    const int serving = SlotsServing(board, place);
    if (serving > board.least_served() || Accepted(board, routes[place], brings)) continue;
    const std::string route = Name(routes[place].route);
    const std::string why = brings.empty() ? std::string() : ", and " + brings.str() + " has no port for it";
    return Reason{rule::kRoute,
                  slot.index,
                  "it serves " + route + why + ": " + std::to_string(serving) + " slots serve that route and at least " +
                      std::to_string(std::min(serving, board.least_served())) + " must stay so",
                  std::nullopt,
                  std::nullopt,
                  brings.empty() ? "another slot serves " + route
                                 : route + " is mapped to a port of " + brings.str() + ", or unmapped"};
  }
  return std::nullopt;
}

}  // namespace baton
