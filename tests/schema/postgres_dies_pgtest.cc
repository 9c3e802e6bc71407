// PostgreSQL dies before a statement of a migration, and comes back.
#include "tests/fakes/statement_sample.h"
#include "tests/fakes/test_postgres.h"
#include "tests/schema/from_2_0.h"

namespace baton::testing {
namespace {

class PostgresDies : public From20 {
 protected:
  TestPostgres postgres_;
};

TEST_F(PostgresDies, AndTheMigrationGoesOnToTheSame) {
  const std::string store = postgres_.NewDatabase();
  MakeStore20(store, kApps);
  const std::string expected = Uninterrupted();
  int died = 0;
  bool met = true;
  StatementSample next(13);
  for (int n = next(); met; n = next()) {
    const std::string url = postgres_.NewDatabase(store);
    postgres_.DieBefore(n);
    const Status first = Migrate(*OpenSession(url));
    met = postgres_.StopDying();
    died += met ? 1 : 0;
    EXPECT_TRUE(!met || !first.ok() || Content(url) == expected) << "before statement " << n;
    const Status again = Migrate(*OpenSession(url));
    ASSERT_TRUE(again.ok()) << n << ": " << again.error().message;
    ASSERT_EQ(Content(url), expected) << "PostgreSQL died before statement " << n;
  }
  EXPECT_GT(died, 4);
  std::cout << "PostgreSQL died before " << died << " statements of a migration\n";
}

}  // namespace
}  // namespace baton::testing
