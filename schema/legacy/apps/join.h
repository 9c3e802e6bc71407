// The way back of Split, of one app, in memory: its active definition and its own fields become one row of 1.x again, and
// of its instances those are shown that 1.x has a place for. Pure and deterministic.
//
// Join(Split(x)) is x but for what 2.0 does not hold or writes in one way only: ports of TLS proxies, preferred and IPv6
// addresses; internal routes and metric tags of instances; the name in the run info; metric tags in the run info (1.0),
// which get their column; volume_placement, which says what the mounts do; `routable` where nobody had said it; fractions
// of microseconds; and when an app was desired, where nobody knew.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "orchestrator/base/result.h"
#include "orchestrator/model/app_state.h"
#include "schema/legacy/apps/app.h"

namespace baton {

// Index and presence (v1::ActualLRP::Presence): what names an instance of an app in 1.x.
using LegacyPlace = std::pair<std::int64_t, int>;

// Which presence it has in 1.x, if it is of the app's present incarnation: one that is on its way out is EVACUATING there.
// Nothing: 1.x has no place for what is to take a slot over and has not yet.
std::optional<int> LegacyPresence(const ActualLrp& lrp);

// Which instance 1.x shows at each place. Of several that are on their way out at one index it is the one that evacuates,
// else the last that came. 1.x has no place for instances of an app that is not desired (any more), nor for those of its
// earlier incarnations.
std::map<LegacyPlace, const ActualLrp*> PlacesOf(const AppState& state);

LegacyInstance JoinInstance(const ActualLrp& lrp, int presence);

// The app is desired. `run_info`: of its active definition, as it is stored; an error where it is none.
Result<LegacyApp> JoinApp(const AppState& state, const std::string& run_info);  // without its instances
Result<LegacyApp> Join(const AppState& state, const std::string& run_info);

}  // namespace baton
