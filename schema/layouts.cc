#include "schema/layouts.h"

#include <string>

#include "embedded_legacy_migrations.h"
#include "embedded_migrations.h"
#include "schema/migrator.h"
#include "sql/session.h"

namespace baton {

void MakeLegacyLayout(Session& session) {
  for (const auto& file : legacy_migrations::Files()) {
    session.RunScript(std::string(file.text));
    session.Run("WriteMigration", {std::to_string(std::stoll(std::string(file.name))), std::string(file.name),
                                   MigrationChecksum(file.text)});
  }
  session.Run("WriteVersions", {std::to_string(kLegacyMigration), kLegacySemver});
}

void MakeTargetShape(Session& session) {
  if (session.Run("TargetShapeExists")[0].Bool(0)) return;
  session.Run("CreateScratchSchema");
  const std::string search_path = session.Run("ReadSearchPath")[0].Text(0);
  session.Run("SetSearchPath", {"baton_scratch"});
  for (const auto& file : migrations::Files()) session.RunScript(std::string(file.text));
  session.Run("DropScratchControlTables");
  session.Run("SetSearchPath", {search_path});
  session.Run("MoveScratchTables");
  session.Run("DropScratchSchema");
}

void DropLegacyShape(Session& session) { session.Run("DropLegacyTables"); }

}  // namespace baton
