// The files of a PostgreSQL cluster that was just made, for tests: initdb takes more than a second, a copy a tenth of it.
#pragma once

#include <optional>
#include <string>

#include "tools/system/spawn.h"

namespace baton {

enum class Cluster {
  kEmpty,
  kMigrated,  // has a database kMigratedDatabase, and so the roles of one, which are of all databases
};
inline constexpr char kMigratedDatabase[] = "migrated";

// An EmbeddedPostgres whose directory is `dir` finds its cluster made, and starts at once. The first test of a build makes
// it, in the build folder; it is made anew where the programs of PostgreSQL are newer, or the migrator.
void CopyClusterTo(const std::string& dir, Cluster which = Cluster::kEmpty);

// Where clusters of tests are: "/dev/shm" where that is memory with room for many, else "/tmp". On a disk that others write to as well
// a copy takes seconds.
std::string ClusterRoot();
// A fresh directory there, which PostgreSQL's user can enter. `name`: "baton-test".
std::string MakeClusterDir(const std::string& name);

// Who runs PostgreSQL where we are root, as whom it refuses to run: Debian's package makes the user. Nobody: we do.
std::optional<UnixUser> ClusterUser();

}  // namespace baton
