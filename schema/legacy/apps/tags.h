// What Diego keeps on an instance although it follows from the app: whether it does.
#pragma once

#include "schema/legacy/apps/app.h"

namespace baton {

// The host names of the app's "internal-router", in any order.
bool FollowFrom(const v1::ActualLRP& internal_routes, const v1::ProtoRoutes& routes);

// The app's tags, with index and guid of this instance where they say so.
bool FollowFrom(const LegacyTags& tags, const LegacyTags& of_app, const LegacyInstance& instance);

}  // namespace baton
