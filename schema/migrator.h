// Brings a database to the schema that this program is built for. Repeatable: called twice, it does nothing the second
// time. Only a new database or one of exactly this version so far; everything else is refused, and nothing is written.
#pragma once

#include <string>

#include "orchestrator/model/result.h"

namespace baton {

class Session;

// FAILED_PRECONDITION with what was found and what to do: another version, a shipped migration that was changed, a
// database that holds something else.
Status Migrate(Session& session);

// The checksum of each shipped migration's text, as it is stored and compared.
std::string MigrationChecksum(std::string_view text);

}  // namespace baton
