// `baton admin check-database`: asks the database itself, and no batond.
#include <nlohmann/json.hpp>

#include "sql/session/session.h"
#include "tools/baton/admin/database_check.h"
#include "tools/baton/failure.h"
#include "tools/baton/outcome.h"
#include "tools/baton/session.h"
#include "tools/command_line/passwords.h"
#include "tools/definitions/database.h"
#include "tools/words/table.h"

namespace baton::cli {
namespace {

struct Look {
  std::optional<RoleOfDatabase> role;
  std::vector<HeldPrivilege> tables;
  std::vector<HeldPrivilege> sequences;
};

std::vector<HeldPrivilege> Held(::baton::Session& s, const std::string& statement, const std::string& role) {
  std::vector<HeldPrivilege> held;
  for (const auto row : s.Run(statement, {role})) held.push_back({row.Text("relname"), row.Text("privilege"), row.Bool("held")});
  return held;
}

Look LookAtRole(::baton::Session& s, const std::string& asked) {
  Look look;
  const Rows found = s.Run("FindRole", {asked});
  if (found.empty()) return look;
  const auto row = found[0];
  RoleOfDatabase role{.name = row.Text("rolname"),
                      .database = row.Text("database"),
                      .may_connect = row.Bool("may_connect"),
                      .superuser = row.Bool("rolsuper"),
                      .creates_databases = row.Bool("rolcreatedb"),
                      .creates_roles = row.Bool("rolcreaterole"),
                      .replicates = row.Bool("rolreplication"),
                      .bypasses_row_security = row.Bool("rolbypassrls"),
                      .creates_schemas = row.Bool("creates_schemas"),
                      .creates_tables = row.Bool("creates_tables"),
                      .uses_schema = row.Bool("uses_schema"),
                      .owned_tables = static_cast<int>(row.Int("owned_tables")),
                      .memberships = {}};
  for (const auto one : s.Run("ListMemberships", {role.name})) role.memberships.push_back(one.Text());
  look.tables = Held(s, "ListTablePrivileges", role.name);
  look.sequences = Held(s, "ListSequencePrivileges", role.name);
  look.role = std::move(role);
  return look;
}

std::string AsJson(const RoleOfDatabase& role, const std::vector<RoleFinding>& findings) {
  nlohmann::ordered_json shown{{"database", role.database}, {"role", role.name}, {"findings", nlohmann::ordered_json::array()}};
  for (const RoleFinding& one : findings) {
    shown["findings"].push_back({{"kind", one.lacks ? "lacks" : "too much"}, {"what", one.what}, {"todo", one.todo}});
  }
  return shown.dump(2) + "\n";
}

std::string AsText(const RoleOfDatabase& role, const std::vector<RoleFinding>& findings) {
  if (findings.empty()) return "role " + role.name + " may do to database " + role.database + " what batond's work takes, and no more\n";
  Table table{.header = {"ROLE " + role.name, "WHAT", "TO DO"}, .rows = {}, .columns_max = 0};  // statements are copied
  for (const RoleFinding& one : findings) table.rows.push_back({one.lacks ? "lacks" : "too much", one.what, one.todo});
  return Render(table);
}

}  // namespace

int AdminCheckDatabase(Session& session) {
  const Arguments& a = session.arguments;
  if (HasPassword(a.database)) {
    throw Failure(kUsage, "there is a password in --database, and everybody who lists this machine's processes reads it: keep it in a "
                          "passfile of mode 0600 (passfile=FILE in place of password=, or PGPASSFILE)");
  }
  auto opened = ::baton::Session::Open(a.database);
  if (!opened)
    throw Failure(kUnreachable,
                  "--database: " + definitions::Database::Trouble(opened.error().message, a.database, "--database"));
  Look look;
  const SessionError error = (*opened)->Transact(::baton::Session::Isolation::kSnapshotReadOnly, [&](::baton::Session& s) {
    look = LookAtRole(s, a.database_role);
    return true;
  });
  if (!error.ok()) throw Failure(kFailed, "--database could not be asked: " + error.detail);
  if (!look.role) throw Failure(kFailed, "there is no role " + a.database_role + " in this PostgreSQL: schema/roles.sql makes baton_service");
  if (look.tables.empty()) {
    throw Failure(kFailed, "database " + look.role->database + " has no table yet: let batond make it first (--database-owner)");
  }
  const std::vector<RoleFinding> findings = CheckRole(*look.role, look.tables, look.sequences);
  session.io.out << (ForPrograms(session) ? AsJson(*look.role, findings) : AsText(*look.role, findings));
  return findings.empty() ? kDone : kFailed;
}

}  // namespace baton::cli
