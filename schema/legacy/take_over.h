// Writes of other programs to the tables of 1.x, taken over into those of 2.x.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/model/id.h"

namespace baton {

class Session;

// Within a transaction that may write (READ COMMITTED). Locks the apps' rows of 2.x, takes their names off
// legacy.changes, and makes 2.x say what 1.x says now (schema/legacy/apps/merge.h), with events as the store writes
// them. Never waits for another program: what one is writing just now stays in the log and is taken over after its
// commit.
//
// Where 2.x knows better (a tag that went back, what is not shown), 1.x is written as well. An app that cannot be read
// or split is a fault with its name; it is left as it is, and the others go on.
void TakeOver(Session& session, const std::vector<ProcessGuid>& guids, std::vector<std::string>& faults);

}  // namespace baton
