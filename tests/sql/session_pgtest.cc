// libpqxx's traps, each closed: invariants M5-M7, D4, D5.
#include "sql/session.h"

#include <gtest/gtest.h>

#include "sql/statements.h"
#include "tests/fakes/pg_fixture.h"

namespace baton {
namespace {

TEST(Session, EveryStatementFitsTheSchema) {
  auto session = OpenSession(MigratedDatabase());
  const SessionError error = session->PrepareAll();
  EXPECT_TRUE(error.ok()) << error.detail;
  EXPECT_GT(Statements().size(), 30u);
}

TEST(Session, EveryByteComesBackAsItWas) {
  auto session = OpenSession(FreshDatabase());
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  all += "\\x00\"{},NULL'";
  std::string back;
  const SessionError error = session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript("CREATE TABLE blobs (b bytea)");
    ArrayParam array;
    array.Bytes(all);
    s.RunScript("INSERT INTO blobs SELECT unnest('" + array.str() + "'::bytea[])");
    return true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
  ArrayParam text;
  text.Text("a\\b\"c,d{e}f\ng'h");
  text.Text("");
  text.Text("NULL");
  EXPECT_EQ(ParseArray(text.str()), (std::vector<std::string>{"a\\b\"c,d{e}f\ng'h", "", "NULL"}));
}

TEST(Session, ANulInATextIsLoudInsteadOfCuttingItOff) {
  ArrayParam array;
  EXPECT_DEATH(array.Text(std::string_view("app\0-evil", 9)), "CHECK failed");
}

TEST(Session, ABrokenConnectionStaysBrokenInsteadOfReconnectingInSilence) {
  const std::string url = MigratedDatabase();
  auto session = OpenSession(url);
  auto killer = OpenSession(url);
  const SessionError error = session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.Run("ReadNow");
    (void)killer->Transact(Session::Isolation::kReadCommitted, [](Session& k) {
      k.RunScript("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                  "AND pid <> pg_backend_pid()");
      return true;
    });
    s.Run("ReadNow");
    return true;
  });
  EXPECT_EQ(error.fault, Fault::kBroken) << error.detail;
  EXPECT_TRUE(session->broken());
  for (int again = 0; again < 4; ++again) {
    const SessionError later = session->Transact(Session::Isolation::kReadCommitted, [](Session& s) {
      s.Run("ReadNow");
      return true;
    });
    EXPECT_FALSE(later.ok()) << "try " << again;
  }
}

TEST(Session, NamesTheConstraintThatWasBroken) {
  auto session = OpenSession(MigratedDatabase());
  const SessionError error = session->Transact(Session::Isolation::kReadCommitted, [](Session& s) {
    s.RunScript("INSERT INTO rolls (process_guid, incarnation, roll_id, target_definition, state, reason, revision, "
                "opened_at, deadline, counted_from, refused, actor) VALUES ('a', 1, 'r', 'd', 'ROLLING_BACK', '', 0, "
                "now(), now(), 0, false, '')");
    return true;
  });
  EXPECT_EQ(error.fault, Fault::kConstraint);
  EXPECT_EQ(error.sqlstate, "23514");
  EXPECT_EQ(error.constraint, "rolls_back_to_something");
}

TEST(Session, TimesComeBackToTheMicrosecond) {
  auto session = OpenSession(MigratedDatabase());
  const TimePoint at = FromMicros(1'795'210'445'123'457);
  TimePoint back;
  const SessionError error = session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript("CREATE TEMP TABLE t AS SELECT to_timestamp(" + std::to_string(Micros(at)) + "::bigint / 1e6) AS v");
    s.RunScript("INSERT INTO domains SELECT 'd', v FROM t");
    s.RunScript("CREATE TEMP TABLE u AS SELECT 1");
    return true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
  EXPECT_EQ(ParseTime("2026-11-20 21:34:05.123457+00"), ParseTime("2026-11-20 21:34:05+00") + Duration(123457));
  EXPECT_EQ(ParseTime("2026-11-20 21:34:05.5+00"), ParseTime("2026-11-20 21:34:05+00") + Duration(500000));
  back = ParseTime("1970-01-01 00:00:00+00");
  EXPECT_EQ(Micros(back), 0);
}

}  // namespace
}  // namespace baton
