// What programs that open a database have in common on their command line. A password there: whoever may list processes
// reads it, apps on the machine too.
#pragma once

#include <string>

namespace baton {

// Of what libpq takes to reach a database: postgresql://... or NAME=VALUE.
bool HasPassword(const std::string& database);

// What is wrong, and what to do instead, where a word of the command line has one; empty: none has.
std::string PasswordShown(int argc, const char* const* argv);

// What --database-insecure is, of each of them.
inline constexpr char kDatabaseInsecure[] =
    "Speak with a PostgreSQL on another machine without sslmode=verify-full: who is in between reads and writes all of it";
inline constexpr char kDatabaseInsecureVariable[] = "BATON_DATABASE_INSECURE";

}  // namespace baton
