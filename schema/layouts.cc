#include "schema/layouts.h"

#include <set>
#include <string>

#include "embedded_legacy_migrations.h"
#include "orchestrator/wire/stored/hash.h"
#include "schema/migrator/control.h"
#include "schema/migrator/shipped.h"
#include "sql/session/session.h"

namespace baton {
namespace {

std::int64_t NumberOf(const legacy_migrations::EmbeddedFile& file) { return std::stoll(std::string(file.name)); }

void Apply(Session& session, const legacy_migrations::EmbeddedFile& file) {
  session.RunScript(std::string(file.text));
  session.Run("WriteMigration", {std::to_string(NumberOf(file)), std::string(file.name), wire::Sha256Hex(file.text)});
}

}  // namespace

void MakeLegacyLayout(Session& session) {
  for (const auto& file : legacy_migrations::Files()) Apply(session, file);
  MakeControlTables(session);
  session.Run("WriteVersions", {std::to_string(kLegacyMigration), kLegacySemver});
}

void FinishLegacyLayout(Session& session) {
  std::set<std::int64_t> applied;
  for (const auto row : session.Run("ReadMigrations")) applied.insert(row.Int("version"));
  for (const auto& file : legacy_migrations::Files()) {
    if (!applied.contains(NumberOf(file))) Apply(session, file);
  }
}

void MakeTargetShape(Session& session) {
  if (session.Run("TargetShapeExists")[0].Bool()) return;
  session.Run("CreateScratchSchema");
  const std::string search_path = session.Run("ReadSearchPath")[0].Text();
  session.Run("SetSearchPath", {"baton_scratch"});
  for (const Migration& migration : ShippedMigrations()) {
    for (const std::string& statement : MakingStatements(migration)) session.RunScript(statement);
  }
  session.Run("DropScratchControlTables");
  session.Run("SetSearchPath", {search_path});
  session.Run("MoveScratchTables");
  session.Run("DropScratchSchema");
}

void DropLegacyShape(Session& session) { session.Run("DropLegacyTables"); }

}  // namespace baton
