// All pages are of one instant, and nothing is written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/fakes/pg_fixture.h"
#include "tests/tools/definitions/seeded_store.h"
#include "tools/definitions/verifier.h"

namespace baton::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Runs with something happening after the first page.
Printed PrintWith(definitions::DefinitionsOptions options, const std::function<void()>& after_first_page) {
  std::ostringstream out;
  std::ostringstream err;
  int asked = 0;
  Printed printed;
  printed.code = definitions::RunDefinitions(options, {out, err, [&] {
                                                         if (++asked == 2) after_first_page();
                                                         return false;
                                                       }});
  printed.out = out.str();
  printed.err = err.str();
  return printed;
}

class OneSnapshot : public ::testing::Test {
 protected:
  OneSnapshot() {
    for (const char* app : {"app-1", "app-3", "app-5"}) store_.Desire(app, 0, "v1");
  }
  SeededStore store_{MigratedDatabase()};
};

TEST_F(OneSnapshot, ACommitBetweenTwoPagesDoesNotShow) {
  const definitions::DefinitionsOptions options{.database = store_.url(), .output = "json", .page_apps = 1};
  bool happened = false;
  const Printed printed = PrintWith(options, [&] {
    happened = true;
    store_.Desire("app-2", 0, "v1");
    store_.Update("app-5", "v2");
    store_.Remove("app-3");
  });
  ASSERT_TRUE(happened);
  ASSERT_EQ(printed.code, definitions::kExitFine) << printed.err;
  EXPECT_THAT(printed.out, Not(HasSubstr("app-2")));
  EXPECT_THAT(printed.out, Not(HasSubstr("\"v2\"")));
  EXPECT_THAT(printed.out, Not(HasSubstr("not desired any more")));
  EXPECT_THAT(Print(options).out, HasSubstr("app-2"));
}

TEST_F(OneSnapshot, ACheckDoesNotTakeACommitForAFault) {
  const definitions::DefinitionsOptions options{.database = store_.url(), .check = true, .page_apps = 1};
  const Printed printed = PrintWith(options, [&] {
    store_.Remove("app-5");
    store_.Script("DELETE FROM definitions WHERE process_guid = 'app-5'");
  });
  EXPECT_EQ(printed.code, definitions::kExitFine) << printed.out;
  EXPECT_THAT(printed.out, HasSubstr("checked 3 apps, 3 definitions"));
}

TEST_F(OneSnapshot, AnInterruptionIsNoCompleteList) {
  std::ostringstream out;
  std::ostringstream err;
  int asked = 0;
  const auto code =
      definitions::RunDefinitions({.database = store_.url(), .page_apps = 1}, {out, err, [&] { return ++asked == 3; }});
  EXPECT_EQ(code, definitions::kExitFaults);
  EXPECT_THAT(err.str(), HasSubstr("not complete"));
}

TEST_F(OneSnapshot, ADatabaseThatGoesAwayInTheMiddleIsToldSo) {
  auto killer = OpenSession(store_.url());
  const definitions::DefinitionsOptions options{.database = store_.url(), .check = true, .page_apps = 1};
  const Printed printed = PrintWith(options, [&] {
    (void)killer->Transact(Session::Isolation::kReadCommitted, [](Session& s) {
      s.RunScript(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
          "AND pid <> pg_backend_pid()");
      return true;
    });
  });
  EXPECT_EQ(printed.code, definitions::kExitUnreachable);
  EXPECT_THAT(printed.err, HasSubstr("went away"));
  EXPECT_THAT(printed.out, Not(HasSubstr("cannot be read")));
}

TEST_F(OneSnapshot, ADatabaseThatGoesAwayIsNoFaultOfTheRowsThatWereNotRead) {
  store_.Script("UPDATE definitions SET run_info = 'junk' WHERE process_guid = 'app-1'");
  auto session = OpenSession(store_.url());
  auto killer = OpenSession(store_.url());
  int told = 0;
  const SessionError error = session->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
    // At the first finding, in the middle of a page.
    definitions::Verifier verifier(
        s,
        [&](const definitions::CheckFinding&) {
          ++told;
          EXPECT_TRUE(
              killer
                  ->Transact(
                      Session::Isolation::kReadCommitted,
                      [](Session& k) {
                        k.RunScript(
                            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                            "AND state = 'idle in transaction'");
                        return true;
                      })
                  .ok());
        },
        [](const definitions::CheckFinding&) {});
    verifier.VerifyApps({ProcessGuid("app-1"), ProcessGuid("app-3"), ProcessGuid("app-5")});
    return true;
  });
  EXPECT_EQ(error.fault, Fault::kBroken);
  EXPECT_EQ(told, 1);
}

}  // namespace
}  // namespace baton::testing
