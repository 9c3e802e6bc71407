// A password of the database on a command line: whoever may list processes reads it there, apps on the machine too.
#pragma once

#include <string>

namespace baton {

// Of what libpq takes to reach a database: postgresql://... or NAME=VALUE.
bool HasPassword(const std::string& database);

// What is wrong, and what to do instead, where a word of the command line has one; empty: none has.
std::string PasswordShown(int argc, const char* const* argv);

}  // namespace baton
