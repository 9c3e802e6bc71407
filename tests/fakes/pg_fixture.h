// A PostgreSQL for the tests of one process: started once, without fsync, one fresh database a test.
#pragma once

#include <memory>
#include <string>

#include "sql/session/session.h"

namespace baton {

// The url of a new, empty database.
std::string FreshDatabase();
// The same, migrated.
std::string MigratedDatabase();
// Migrates the empty database at `url`, and gives it back.
std::string Migrated(std::string url);
std::unique_ptr<Session> OpenSession(const std::string& url);
// By a look of its own: whether there is a row. `from`: what follows FROM.
bool Exists(const std::string& url, const std::string& from);
// Somebody waits for a lock of this database, or as many do.
bool SomebodyWaits(const std::string& url, int least = 1);

}  // namespace baton
