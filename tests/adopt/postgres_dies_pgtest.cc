// PostgreSQL dies before a statement of an adoption, or of the migration that follows, and comes back; the same call
// goes on, and what comes out is what an undisturbed one makes, row by row.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "schema/migrator/migrator.h"
#include "tests/adopt/diego.h"
#include "tests/adopt/rows.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/statement_sample.h"
#include "tests/fakes/test_postgres.h"
#include "tests/schema/content.h"

namespace baton::testing {
namespace {

// The fake Diego and Baton's database are on one PostgreSQL, or on two, of which one dies.
enum class Whose { kBoth, kSource, kTarget };

class PostgresDiesWhile : public ::testing::Test {
 protected:
  PostgresDiesWhile() {
    AddFindings(mortal_);
    AddFindings(immortal_);
  }

  // How often it died.
  int Adopt(Whose owner) {
    const Diego& diego = owner == Whose::kTarget ? immortal_ : mortal_;
    const auto fresh = [&] { return owner == Whose::kSource ? FreshDatabase() : postgres_.NewDatabase(); };
    const std::string before = diego.Dump();
    const std::string undisturbed = FreshDatabase();
    EXPECT_TRUE(AdoptInto(diego, undisturbed, 1).ok());
    const std::string expected = AdoptedRows(undisturbed);
    int died = 0;
    bool met = true;
    StatementSample next(13);
    for (int n = next(); met && !HasFailure(); n = next()) {
      const std::string into = fresh();
      postgres_.DieBefore(n);
      const auto first = AdoptInto(diego, into, 1);
      met = postgres_.StopDying();
      died += met ? 1 : 0;
      EXPECT_TRUE(first.ok() || (met && first.error().kind == ErrorKind::kUnavailable))
          << n << ": " << first.error().message;
      EXPECT_TRUE(!first.ok() || AdoptedRows(into) == expected) << "before statement " << n << ", unnoticed";
      const auto again = AdoptInto(diego, into, 1);
      EXPECT_TRUE(again.ok()) << n << ": " << again.error().message;
      EXPECT_EQ(AdoptedRows(into), expected) << "PostgreSQL died before statement " << n;
    }
    EXPECT_EQ(diego.Dump(), before) << "the source was written to";
    return died;
  }

  TestPostgres postgres_;
  const Diego mortal_{{"--apps", "3", "--instances", "2"}, postgres_.NewDatabase()};
  const Diego immortal_{{"--apps", "3", "--instances", "2"}};
};

TEST_F(PostgresDiesWhile, ADatabaseIsAdoptedAndTheSameCallGoesOn) {
  const int both = Adopt(Whose::kBoth);
  const int source = Adopt(Whose::kSource);
  const int target = Adopt(Whose::kTarget);
  EXPECT_GT(std::min({both, source, target}), 2);
  std::cout << "PostgreSQL died before " << both + source + target << " statements of an adoption\n";
}

TEST_F(PostgresDiesWhile, TheLegacyLayoutIsMigratedAndTheSameCallGoesOn) {
  const std::string adopted = postgres_.NewDatabase();
  ASSERT_TRUE(AdoptInto(immortal_, adopted, 1).ok());
  const std::string undisturbed = postgres_.NewDatabase(adopted);
  ASSERT_TRUE(Migrate(*OpenSession(undisturbed)).ok());
  const std::string expected = Content(undisturbed);
  int died = 0;
  bool met = true;
  StatementSample next(13);
  for (int n = next(); met; n = next()) {
    const std::string url = postgres_.NewDatabase(adopted);
    postgres_.DieBefore(n);
    const Status first = Migrate(*OpenSession(url));
    met = postgres_.StopDying();
    died += met ? 1 : 0;
    EXPECT_TRUE(!first.ok() || Content(url) == expected) << "before statement " << n << ", unnoticed";
    const Status again = Migrate(*OpenSession(url));
    ASSERT_TRUE(again.ok()) << n << ": " << again.error().message;
    ASSERT_EQ(Content(url), expected) << "PostgreSQL died before statement " << n;
  }
  EXPECT_GT(died, 4);
  std::cout << "PostgreSQL died before " << died << " statements of a migration from the legacy layout\n";
}

}  // namespace
}  // namespace baton::testing
