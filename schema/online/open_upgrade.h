// How an online upgrade comes to be: the layout that this program works on is made beside the one that counts, then the
// record says that an operator may begin.
#pragma once

#include "orchestrator/base/result.h"
#include "schema/law.h"
#include "schema/migrator/migrator.h"

namespace baton {

class Session;

// `counts`: the version that counts, and is served from here on. Killed at any statement, the same call goes on, as Migrator
// does; ABORTED where the fence or `progress` said no.
Status OpenUpgrade(Session& session, const VersionMark& counts, MigratorOptions options);

}  // namespace baton
