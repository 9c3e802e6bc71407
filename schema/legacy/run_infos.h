// The run infos of apps' active definitions, opened: what one app of 1.x is beside its rows
// (schema/legacy/apps/join.h).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/id.h"

namespace baton {

class Session;

// Of those that are desired. One that cannot be opened is an error. Within a transaction, one statement.
std::map<ProcessGuid, Result<std::string>> ReadActiveRunInfos(Session& session, const std::vector<ProcessGuid>& guids);

}  // namespace baton
