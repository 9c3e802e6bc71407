// What the reading commands ask for.
#pragma once

#include <optional>

#include "baton/v2/actual_lrps_service.pb.h"
#include "baton/v2/cells_service.pb.h"
#include "baton/v2/definitions_service.pb.h"
#include "baton/v2/desired_lrps_service.pb.h"
#include "baton/v2/rolls_service.pb.h"
#include "baton/v2/routes_service.pb.h"
#include "tools/baton/session.h"

namespace baton::cli {

// Empty filters take everything. All of them throw Failure.
v2::DesiredLRP ReadApp(Session& session, const std::string& guid);
v2::ListDesiredLRPsResponse ReadApps(Session& session, const std::string& domain);
v2::ListCellsResponse ReadCells(Session& session);
v2::ListRouteConsumersResponse ReadRouters(Session& session);
v2::ListRollsResponse ReadRolls(Session& session, const v2::ListRollsRequest& request);
v2::ListDefinitionsResponse ReadDefinitions(Session& session, const std::string& guid, const std::string& domain);

// `name`: empty for all of them, an app's guid, GUID/SLOT, or an actual id.
v2::ListActualLRPsResponse ReadInstances(Session& session, const std::string& name, v2::ListActualLRPsRequest request);

// Includes instances that cannot be read: a wait for zero instances waits for them, too.
int CountOf(const v2::ListActualLRPsResponse& list);

// `name`: a roll's id, or an app's guid for its open roll, else its latest one.
v2::GetRollResponse ReadRoll(Session& session, const std::string& name, bool with_steps);

}  // namespace baton::cli
