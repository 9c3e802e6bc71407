// A PostgreSQL for the tests of one process: started once, without fsync, one fresh database a test.
#pragma once

#include <memory>
#include <string>

#include "sql/session.h"

namespace baton {

// The url of a new, empty database.
std::string FreshDatabase();
// The same, migrated.
std::string MigratedDatabase();
std::unique_ptr<Session> OpenSession(const std::string& url);

}  // namespace baton
