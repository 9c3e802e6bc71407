// The routing table against rows, app by app: what only a hand in the rows or a fault can have made differ is told to
// routers anew.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "orchestrator/app/leader/loop.h"
#include "orchestrator/app/leader/roller.h"
#include "orchestrator/model/app_state.h"
#include "orchestrator/routing/route_table.h"

namespace baton {

class RouteAudit {
 public:
  RouteAudit(const RouteTable& table, Roller& roller, Loop& loop) : table_(table), roller_(roller), loop_(loop) {}

  // All apps from the one after `after` to `last`.
  struct Apps {
    std::vector<AppState> read;
    std::set<ProcessGuid> broken;  // that cannot be read
    ProcessGuid after;
    std::optional<ProcessGuid> last;  // nothing: there are no more
  };
  // Those that the table had otherwise than the rows have them, by which it is made anew before this is called. On the
  // loop.
  using Done = std::function<void(std::vector<ProcessGuid>)>;
  // On the loop, of a table that is loaded and led with.
  void Look(const Apps& apps, const Done& done);
  // The table is about to be made anew from these rows, and has all that was committed before they were read.
  void BeforeAnew(const AppState& app);

 private:
  struct Turns;
  void NextTurn(const std::shared_ptr<Turns>& turns);
  std::vector<ProcessGuid> Suspects(const Apps& apps) const;

  const RouteTable& table_;
  Roller& roller_;
  Loop& loop_;
  std::map<ProcessGuid, bool> anew_;  // apps that are under way, and whether they differed
};

}  // namespace baton
