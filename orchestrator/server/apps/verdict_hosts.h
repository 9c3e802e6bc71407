// A request that brings stages: whether an operator lets batond ask each verdict that they name, before one of them is stored.
#pragma once

#include <functional>
#include <string>

#include "orchestrator/app/apps/update.h"
#include "orchestrator/base/result.h"

namespace baton {

using MayAskVerdict = std::function<Status(const std::string& url)>;

// FAILED_PRECONDITION or INVALID_ARGUMENT with the stage; of a request that could not be read, why it could not.
Status CheckVerdicts(const MayAskVerdict& may_ask, const Result<DesireRequest>& desire);
Status CheckVerdicts(const MayAskVerdict& may_ask, const Result<UpdateRequest>& update);

}  // namespace baton
