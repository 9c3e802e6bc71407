// A database of schema 2.0 on its way to the present one and back, and processes that die on it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "orchestrator/model/version.h"
#include "schema/migrator/migrator.h"
#include "schema/migrator/shipped.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/schema/content.h"
#include "tests/schema/pg_tools.h"
#include "tests/schema/store_2_0.h"

namespace baton::testing {

inline constexpr int kApps = 20;
inline constexpr int kBatch = 25;  // of 60 instances: three batches

inline Result<MigrationReport> Up(const std::string& url, MigratorOptions options = {.batch = kBatch}) {
  auto session = OpenSession(url);
  Migrator migrator(*session, ShippedMigrations(), std::move(options));
  return migrator.Up();
}
inline Result<MigrationReport> Down(const std::string& url) {
  auto session = OpenSession(url);
  Migrator migrator(*session, ShippedMigrations(), {.batch = kBatch});
  return migrator.Down(100);
}

inline std::string SchemaOf20(const std::string& url) {
  return Sorted(PgDump(url, {"--schema-only", "--exclude-table=store", "--exclude-table=migration_steps",
                             "--exclude-table=members", "--exclude-table=accepted_stores",
                             "--exclude-table=lost_epochs", "--exclude-table=upgrade"}));
}

inline bool Eventually(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
  }
  return true;
}

class From20 : public ::testing::Test {
 protected:
  void TearDown() override { Session::SetHook({}); }
  static std::string Uninterrupted() {
    static const std::string content = [] {
      const std::string url = Store20(kApps);
      EXPECT_TRUE(Up(url).ok());
      return Content(url);
    }();
    return content;
  }
  // How many statements a run takes.
  template <class Run>
  static int Statements(Run&& run) {
    int count = 0;
    Session::SetHook([&](std::string_view) { ++count; });
    run();
    Session::SetHook({});
    return count;
  }
  // `run` in a process of its own that is killed before its n-th statement. False: it came to its end.
  template <class Run>
  static bool KilledAt(int n, Run&& run) {
    const pid_t child = fork();
    if (child == 0) {
      Session::SetHook([n, at = 0](std::string_view) mutable {
        if (++at == n) kill(getpid(), SIGKILL);
      });
      run();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status);
  }
};


}  // namespace baton::testing
