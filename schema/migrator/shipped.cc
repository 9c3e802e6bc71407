#include "schema/migrator/shipped.h"

#include "embedded_migrations.h"
#include "orchestrator/base/check.h"
#include "orchestrator/model/version.h"

namespace baton {
namespace {

constexpr struct {
  std::int64_t migration;
  const char* checksum;
} kEarlierTexts[] = {
    // 0100 with the columns of stages, plans and verdicts in it, which 0101 adds where they are missing.
    {100, "91b4b5f430a4ada24c88b34fadee734cbba8ee0cab6ad2574bb9302e566a9511"},
};

// A migration's first line says the schema that it leads to: "-- Schema 2.4: what for".
std::string SemverOf(std::string_view text) {
  constexpr std::string_view kBegins = "-- Schema ";
  CHECK(text.starts_with(kBegins));
  text.remove_prefix(kBegins.size());
  return std::string(text.substr(0, text.find(':'))) + ".0";
}

std::vector<Migration> Load() {
  std::vector<Migration> shipped;
  for (const auto& file : migrations::Files()) {
    const std::int64_t number = std::stoll(std::string(file.name));
    shipped.push_back(ParseMigration(number, file.name, SemverOf(file.text), file.text));
  }
  CHECK(shipped.back().version == kSchemaMigration && shipped.back().semver == kSchemaSemver);
  return shipped;
}

}  // namespace

const std::vector<Migration>& ShippedMigrations() {
  static const std::vector<Migration> kShipped = Load();
  return kShipped;
}

bool IsTextOf(const Migration& migration, const std::string& checksum) {
  if (checksum == migration.checksum) return true;
  return std::ranges::any_of(kEarlierTexts, [&](const auto& earlier) {
    return earlier.migration == migration.version && checksum == earlier.checksum;
  });
}

}  // namespace baton
