// Command-line checks shared by programs that open a database. A password on the command line is visible to every user
// and app that can list processes.
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
