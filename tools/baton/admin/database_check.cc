#include "tools/baton/admin/database_check.h"

#include <algorithm>
#include <map>
#include <set>

namespace baton::cli {
namespace {

using Privileges = std::set<std::string>;

constexpr char kRunRoles[] = "run schema/roles.sql as a superuser, and give batond baton_service";

std::string Quoted(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) (c == '"' ? quoted += '"' : quoted) += c;
  return quoted + '"';
}

// What batond does to each table; which schema this is, by which migrations it came to be, which store it is, and what is in the
// audit, it does not change.
Privileges WantedOf(const std::string& table) {
  static const std::map<std::string, Privileges> kFewer = {{"versions", {"SELECT"}},
                                                           {"migrations", {"SELECT"}},
                                                           {"migration_steps", {"SELECT"}},
                                                           {"store", {"SELECT", "INSERT", "UPDATE"}},
                                                           {"accepted_stores", {"SELECT", "INSERT", "UPDATE"}},
                                                           {"key_labels", {"SELECT", "INSERT", "UPDATE"}},
                                                           {"audit", {"SELECT", "INSERT", "DELETE"}}};
  const auto fewer = kFewer.find(table);
  return fewer == kFewer.end() ? Privileges{"SELECT", "INSERT", "UPDATE", "DELETE"} : fewer->second;
}

class Check {
 public:
  explicit Check(const RoleOfDatabase& role) : role_(role) {}

  void Role() {
    const std::string name = Quoted(role_.name);
    if (!role_.may_connect) Lacks("CONNECT on the database", "GRANT CONNECT ON DATABASE " + Quoted(role_.database) + " TO " + name + ";");
    if (!role_.uses_schema) Lacks("USAGE on the schema", "GRANT USAGE ON SCHEMA public TO " + name + ";");
    const auto attribute = [&](bool has, const char* what) {
      if (has) Has(what, "ALTER ROLE " + name + " NO" + what + ";");
    };
    attribute(role_.superuser, "SUPERUSER");
    attribute(role_.creates_databases, "CREATEDB");
    attribute(role_.creates_roles, "CREATEROLE");
    attribute(role_.replicates, "REPLICATION");
    attribute(role_.bypasses_row_security, "BYPASSRLS");
    if (role_.superuser) return;  // who has everything is asked no more
    for (const std::string& one : role_.memberships) Has("member of " + one, "REVOKE " + Quoted(one) + " FROM " + name + ";");
    if (role_.owned_tables > 0) {
      return Has("owner of " + std::to_string(role_.owned_tables) + " tables: it may drop and alter them, and their migrations' record", kRunRoles);
    }
    if (role_.creates_schemas) {
      Has("CREATE on the database", "REVOKE CREATE ON DATABASE " + Quoted(role_.database) + " FROM PUBLIC, " + name + ";");
    }
    if (role_.creates_tables) Has("CREATE on the schema", "REVOKE CREATE ON SCHEMA public FROM PUBLIC, " + name + ";");
  }

  // Of one who owns the tables nothing more is said: it has all of it, and no REVOKE holds.
  bool IsOver() const { return role_.superuser || role_.owned_tables > 0; }

  void Object(const HeldPrivilege& one, const Privileges& wanted, const std::string& kind) {
    const bool may = wanted.contains(one.privilege);
    if (may == one.held) return;
    const std::string object = kind + "public." + Quoted(one.object);
    const std::string what = one.privilege + " on " + one.object;
    if (may) return Lacks(what, "GRANT " + one.privilege + " ON " + object + " TO " + Quoted(role_.name) + ";");
    Has(what, "REVOKE " + one.privilege + " ON " + object + " FROM PUBLIC, " + Quoted(role_.name) + ";");
  }

  std::vector<RoleFinding> Take() {
    std::ranges::stable_partition(findings_, &RoleFinding::lacks);
    return std::move(findings_);
  }

 private:
  void Lacks(std::string what, std::string todo) { findings_.push_back({true, std::move(what), std::move(todo)}); }
  void Has(std::string what, std::string todo) { findings_.push_back({false, std::move(what), std::move(todo)}); }

  const RoleOfDatabase& role_;
  std::vector<RoleFinding> findings_;
};

}  // namespace

std::vector<RoleFinding> CheckRole(const RoleOfDatabase& role, const std::vector<HeldPrivilege>& tables,
                                   const std::vector<HeldPrivilege>& sequences) {
  Check check(role);
  check.Role();
  if (check.IsOver()) return check.Take();
  for (const HeldPrivilege& one : tables) check.Object(one, WantedOf(one.object), "");
  for (const HeldPrivilege& one : sequences) check.Object(one, {"USAGE", "SELECT"}, "SEQUENCE ");
  return check.Take();
}

}  // namespace baton::cli
