#include "tools/definitions/command_line.h"

#include "orchestrator/model/version.h"
#include "tools/command_line/one_of.h"
#include "tools/command_line/passwords.h"

namespace baton::definitions {
namespace {

void AddOptions(CLI::App& program, Arguments& arguments) {
  DefinitionsOptions& options = arguments.options;
  auto* where = program.add_option_group("database", "One of:");
  where
      ->add_option("--database", options.database,
                   "The one to read: postgresql://USER@HOST/NAME, or key=value as libpq takes it")
      ->envname("BATON_DATABASE");
  where
      ->add_option("--embedded", options.embedded,
                   "batond's own PostgreSQL in this directory; started for the reading if it is down")
      ->envname("BATON_EMBEDDED");
  where->require_option(1);
  program.add_flag("--database-insecure", options.database_insecure, kDatabaseInsecure)
      ->envname(kDatabaseInsecureVariable);
  program
      .add_option("--keys", options.keys, "Key file, as batond was given it; without it what is sealed is not opened")
      ->envname("BATON_KEYS_FILE");
  auto* app = program.add_option("--app", arguments.app, "Only this app (process guid)");
  program.add_option("--domain", options.domain, "Only apps of this domain; apps that are gone have none")
      ->excludes(app);
  program.add_option("--history", options.history, "Proven definitions kept for undo: as batond was told")
      ->check(CLI::Range(0, 100))
      ->capture_default_str()
      ->envname("BATON_HISTORY");
  program.add_option("-o,--output", options.output, "table, wide, json or yaml")
      ->check(OneOf({"table", "wide", "json", "yaml"}))
      ->capture_default_str();
  program.add_flag("--check", options.check, "Verify every blob and every reference instead of listing");
}

void AddShow(CLI::App& program, Arguments& arguments) {
  CLI::App* show = program.add_subcommand("show", "One whole definition as JSON; secrets are redacted");
  show->fallthrough();  // --database and the like may stand behind it
  show->add_option("GUID", arguments.guid, "Process guid")->required();
  show->add_option("IDENTIFIER", arguments.identifier, "Of the definition; left out: the active one");
  show->add_option("--incarnation", arguments.options.incarnation, "Of the app; 0: the newest that has it")
      ->capture_default_str();
  show->add_flag("--reveal", arguments.options.reveal, "Print secrets in the clear");
}

}  // namespace

void Declare(CLI::App& app, Arguments& arguments) {
  app.set_version_flag("--version", std::string("baton-definitions ") + kAppVersion);
  AddOptions(app, arguments);
  AddShow(app, arguments);
}

}  // namespace baton::definitions
