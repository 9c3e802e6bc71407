// Where the programs of a PostgreSQL server are: initdb, pg_ctl and the rest.
#pragma once

#include <string>

#include "orchestrator/base/result.h"

namespace baton {

// Debian keeps them out of PATH, one folder for each major version.
inline constexpr char kInstalledServers[] = "/usr/lib/postgresql";

// The folder of the programs for the cluster in `data`: those of its own major version, which no other reads; of the
// newest that is installed where there is no cluster yet. FAILED_PRECONDITION with the package to install where they
// are missing.
Result<std::string> FindServerPrograms(const std::string& data, const std::string& installed = kInstalledServers);

}  // namespace baton
