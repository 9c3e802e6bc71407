// Which calls are writes requested by a user, and so are in the audit, done or refused: those whose option
// (baton.v2.access) says that they change something. What cells report of their instances is not: it says what is so.
#pragma once

#include <string_view>

namespace baton {

// "baton.v2.DesiredLRPs/DesireLRP", of both versions of the API.
bool IsAudited(std::string_view method);

}  // namespace baton
