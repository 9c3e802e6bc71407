// The end of an instance: RETIRING, drained, ordered to stop, gone. The decision is taken once, at the beginning;
// nothing here asks again whether it was right (a second justification stalls: invariants.md, I3).
#pragma once

#include <string>
#include <vector>

#include "orchestrator/model/app_edit.h"
#include "orchestrator/model/strategy.h"
#include "orchestrator/roll/plan.h"

namespace baton {

// `drains`: it has an endpoint that routers may be sending to.
void MakeRetiring(ActualLrp& row, const Strategy& strategy, bool drains, TimePoint now);

bool IsOverdue(const ActualLrp& lrp, const Strategy& strategy, TimePoint now);

// What its row gets.
enum class DrainStep { kNone, kOrderStop, kRemove };

// The next step of a RETIRING instance; the row is the caller's to change. `plan` gets what is not in rows: whom its
// cell is to be told to stop, and when to ask again although nothing happens. `lost`: its cell is, and may not run it
// any more.
DrainStep Drain(const ActualLrp& lrp, const Strategy& strategy, bool lost, const Moment& moment, Plan& plan);

// Registered routers that have not said that its connections are over; none where nobody has to.
std::vector<ConsumerId> Unconfirmed(const ActualLrp& lrp, const Moment& moment);
// Why it is ordered to stop now, for the step; and whom it is waited for until then, empty where nobody.
std::string WhyStopped(const ActualLrp& lrp, const Moment& moment);
std::string AwaitedRouters(const ActualLrp& lrp, const Moment& moment);

// How long after its lease a cell takes to stop by itself the instances of apps that must never run twice.
inline constexpr Duration kCellStopsByItself = seconds(60);

// The RETIRING instances of an app that is no longer desired, or of its older incarnations.
void DrainLeftovers(AppEdit& edit, Plan& plan);

}  // namespace baton
