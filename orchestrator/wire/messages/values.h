// Rows as the API shows them.
#pragma once

#include "baton/v2/actual_lrp.pb.h"
#include "baton/v2/cell.pb.h"
#include "baton/v2/definition.pb.h"
#include "baton/v2/desired_lrp.pb.h"
#include "baton/v2/domain.pb.h"
#include "baton/v2/roll.pb.h"
#include "orchestrator/model/app_state.h"
#include "orchestrator/model/domain.h"
#include "orchestrator/model/fleet/cell.h"
#include "orchestrator/roll/plan.h"

namespace baton::wire {

std::int64_t Nanos(TimePoint at);
std::int64_t Nanos(const std::optional<TimePoint>& at);  // 0 for nothing

v2::Resources ToMessage(const Resources& resources);
// What the database knows of it.
v2::Cell ToMessage(const CellRecord& record);
v2::Domain ToMessage(const DomainRecord& domain);

v1::ActualLRPNetInfo ToMessage(const NetInfo& info);
NetInfo NetInfoFrom(const v1::ActualLRPNetInfo& message);

// Fill: into an empty message where it lies, so that a page of a list is made without copies.
void Fill(const ProcessGuid& guid, const ActualLrp& lrp, v2::ActualLRP& message);
v2::ActualLRP ToMessage(const ProcessGuid& guid, const ActualLrp& lrp);
v2::Presence ToMessage(Presence presence);

// Without the definition; the password is redacted.
void Fill(const ProcessGuid& guid, const DesiredLrp& desired, v2::DesiredLRP& message);
v2::DesiredLRP ToMessage(const ProcessGuid& guid, const DesiredLrp& desired);
void FillSchedulingInfo(const ProcessGuid& guid, const DesiredLrp& desired, const Definition& active,
                        v2::DesiredLRPSchedulingInfo& message);

v2::RollState ToMessage(RollState state);
v2::Roll ToMessage(const ProcessGuid& guid, const Roll& roll);
// How long it was active and how long it waited, until `now`. A finished roll has them already.
void SetTimes(const Roll& roll, TimePoint now, v2::Roll& message);
v2::RollStep ToMessage(const RollStep& step);
v2::Reason ToMessage(const Reason& reason);

// What it is kept for is counted here; without the definition itself.
v2::Definition DefinitionStatus(const AppState& app, const DefinitionKey& key, int history);

}  // namespace baton::wire
