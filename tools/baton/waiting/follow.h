// Follows a roll to its end.
#pragma once

#include <string>

#include "tools/baton/session.h"

namespace baton::cli {

// Shows the roll until it is finished or HELD. A connection that breaks off is made again, at the next address, and
// goes on after the last step that was seen; after --reconnect-timeout without a word: Failure, kUnreachable. Not at its end
// within --timeout: what it waits for, and Failure, kFailed. Gives the exit status of its last state.
int FollowRoll(Session& session, const std::string& roll_id);

}  // namespace baton::cli
