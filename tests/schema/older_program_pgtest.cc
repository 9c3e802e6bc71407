// A batond of the time of schema 2.0 that meets a migration.
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "tests/schema/from_2_0.h"

namespace baton::testing {
namespace {

class OlderProgram : public From20 {};

TEST_F(OlderProgram, ThatMeetsAHalfDoneMigrationChangesNothing) {
  const char* older = std::getenv("BATON_OLDER");
  if (!older) GTEST_SKIP() << "no older program here: ./dev prove migration builds one";
  int refused = 0;
  int led = 0;
  for (int n = 1;; ++n) {
    const std::string url = Store20(kApps);
    const bool killed = KilledAt(n, [&] { (void)Migrate(*OpenSession(url)); });
    const std::string target = Psql(url, "SELECT current, target FROM versions");
    const std::string before = Content(url);
    const pid_t child = fork();
    if (child == 0) {
      freopen("/dev/null", "w", stderr);
      execl(older, "batond", "--database", url.c_str(), "--listen", "127.0.0.1:0", "--metrics", "", nullptr);
      _exit(127);
    }
    int status = 0;
    if (target == "100|100\n") {
      ASSERT_TRUE(Eventually([&] { return Psql(url, "SELECT count(*) FROM leases WHERE epoch > 7") == "1\n"; })) << n;
      kill(child, SIGTERM);
      waitpid(child, &status, 0);
      ++led;
    } else {
      waitpid(child, &status, 0);
      EXPECT_EQ(WEXITSTATUS(status), 1) << "killed before statement " << n << ", versions " << target;
      EXPECT_EQ(Content(url), before) << "killed before statement " << n;
      ++refused;
    }
    ASSERT_TRUE(Migrate(*OpenSession(url)).ok()) << n;
    if (!killed) break;
  }
  EXPECT_GT(led, 0);
  EXPECT_GT(refused, 20);
  std::cout << "older program: led at " << led << " points, refused at " << refused << ", changed nothing there\n";
}

}  // namespace
}  // namespace baton::testing
