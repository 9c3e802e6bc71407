#include "tools/baton/admin/database_options.h"

#include <memory>
#include <utility>
#include <vector>

#include "sql/session/database_url.h"
#include "tools/command_line/passwords.h"

namespace baton::cli {
namespace {

// Before anything is opened; what they lead to stays so.
void CheckTls(CLI::App* command, std::vector<std::pair<const char*, std::string*>> urls, Command& chosen, int (*run)(Session&)) {
  const auto insecure = std::make_shared<bool>(false);
  command->add_flag("--database-insecure", *insecure, kDatabaseInsecure)->envname(kDatabaseInsecureVariable);
  command->callback([urls = std::move(urls), &chosen, run, insecure] {
    chosen = run;
    for (const auto& [option, url] : urls) {
      auto checked = CheckedDatabase(*url, *insecure, option);
      if (!checked) throw CLI::ValidationError(checked.error().message, CLI::ExitCodes::ValidationError);
      *url = *std::move(checked);
    }
  });
}

void DeclareAdopt(CLI::App& admin, Arguments& a, Command& command) {
  CLI::App* adopt = admin.add_subcommand("adopt", "Take over a Diego database; asks no batond, docs/guide/adopt.md");
  adopt->add_option("--from", a.from, "Diego's database, as libpq takes it; it is only read")->required();
  adopt->add_option("--into", a.into, "An empty database, for Baton")->required();
  CheckTls(adopt, {{"--from", &a.from}, {"--into", &a.into}}, command, AdminAdopt);
  adopt->add_option("--source-keys", a.source_keys, "Its passphrases by key label, as JSON; only yours to read (0600)")
      ->type_name("FILE");
  adopt->add_option("--report", a.report, "Write all that is to be said to it, as JSON")->type_name("FILE");
  adopt->add_flag("--drop-source", a.drop_source, "Drop Diego's tables, once all of them is taken over");
  adopt->add_flag("--yes", a.yes, "With --drop-source: yes, for good");
}

void DeclareCheckDatabase(CLI::App& admin, Arguments& a, Command& command) {
  CLI::App* check = admin.add_subcommand(
      "check-database", "What batond's role may do to its database that is too much, and what it lacks; asks no batond");
  check->add_option("--database", a.database, "The database, as batond takes it")->required();
  CheckTls(check, {{"--database", &a.database}}, command, AdminCheckDatabase);
  check->add_option("--role", a.database_role, "Of this role; default: as which --database connects")->type_name("ROLE");
}

}  // namespace

void DeclareDatabases(CLI::App& admin, Arguments& a, Command& command) {
  DeclareAdopt(admin, a, command);
  DeclareCheckDatabase(admin, a, command);
}

}  // namespace baton::cli
