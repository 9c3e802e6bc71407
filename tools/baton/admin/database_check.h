// Which privileges a database role has beyond batond's needs, and which it lacks, compared with the role that
// schema/roles.sql creates. Pure.
#pragma once

#include <string>
#include <vector>

namespace baton::cli {

struct RoleOfDatabase {
  std::string name;
  std::string database;
  bool may_connect = true;
  bool superuser = false;
  bool creates_databases = false;
  bool creates_roles = false;
  bool replicates = false;
  bool bypasses_row_security = false;
  bool creates_schemas = false;
  bool creates_tables = false;
  bool uses_schema = true;
  int owned_tables = 0;  // by itself, or as a member of who owns them
  std::vector<std::string> memberships;  // of PostgreSQL's own roles, "pg_execute_server_program"
};

struct HeldPrivilege {
  std::string object;     // table or sequence
  std::string privilege;  // "INSERT"
  bool held = false;
};

struct RoleFinding {
  bool lacks = false;  // else it has what it should not
  std::string what;
  std::string todo;  // a statement, or words
};

// Empty: it is as it should be. What it lacks comes first: without that batond does not work.
std::vector<RoleFinding> CheckRole(const RoleOfDatabase& role, const std::vector<HeldPrivilege>& tables,
                                   const std::vector<HeldPrivilege>& sequences);

}  // namespace baton::cli
