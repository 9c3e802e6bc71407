// A database of the bench's own on a server that was given.
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/bench/durable_postgres.h"
#include "tests/fakes/pg_fixture.h"

namespace baton::bench {
namespace {

TEST(GivenServer, HasADatabaseOfTheBenchsOwnThatIsGoneAfterwards) {
  const std::string server = FreshDatabase();
  const std::string ours = "pg_database WHERE datname LIKE 'baton_bench_%'";
  DurablePostgres::SetServer(server);
  {
    DurablePostgres postgres;
    EXPECT_TRUE(Exists(server, ours));
    EXPECT_TRUE(Exists(postgres.url(), "desired_lrps RIGHT JOIN (SELECT 1) one ON true")) << "it is migrated";
    ASSERT_TRUE(postgres.pid());
    EXPECT_EQ(kill(*postgres.pid(), 0), 0);
    EXPECT_EQ(postgres.Setting("server_encoding"), "UTF8");
  }
  EXPECT_FALSE(Exists(server, ours));
  DurablePostgres::SetServer({});
}

}  // namespace
}  // namespace baton::bench
