// schema/current.sql is what the migrations make of an empty database: a change of the schema shows in a review.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"

namespace baton::testing {
namespace {

constexpr char kPath[] = BATON_SOURCE_DIR "/schema/current.sql";
constexpr char kRefresh[] = "BATON_UPDATE_SCHEMA=1 ctest --test-dir BUILD -R CurrentSchema";

std::string Read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(CurrentSchema, IsWhatTheMigrationsMake) {
  const std::string made = PgDump(MigratedDatabase(), {"--schema-only"});
  ASSERT_NE(made.find("CREATE TABLE public.definitions"), std::string::npos);
  if (std::getenv("BATON_UPDATE_SCHEMA")) {
    std::ofstream(kPath)
        << "-- What the migrations make of an empty database, in pg_dump's words. For reading: nothing applies it.\n"
        << "-- Refreshed by: " << kRefresh << "\n"
        << made;
  }
  // gtest prints the lines that differ.
  EXPECT_EQ(Normalised(Read(kPath)), made) << "schema/current.sql is not what the migrations make; refresh it by\n  "
                                           << kRefresh << "\nand read the difference";
}

}  // namespace
}  // namespace baton::testing
