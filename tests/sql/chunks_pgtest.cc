// A chunk of a list that was kept and what PostgreSQL says was written since are what a read of all of it gives:
// whatever others write, and whenever they commit it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <random>

#include "tests/fakes/long_form.h"
#include "tests/fakes/own_postgres.h"
#include "tests/sql/chunks_fixture.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(Chunks, OfWhatNobodyWroteNothingIsRead) {
  SqlAlone("CHECKPOINT");
  for (int round = 0; round < 2; ++round) {
    Expect("nothing");
    EXPECT_EQ(apps_read_, 0);
    EXPECT_EQ(instances_read_, 0);
  }
}

TEST_F(Chunks, WhatWasWrittenIsReadAndNothingElse) {
  Sql("UPDATE desired_lrps SET instances = 7 WHERE process_guid = '" + Guid(3) + "'");
  Sql("UPDATE actual_lrps SET zone = 'z' WHERE process_guid IN ('" + Guid(4) + "', '" + Guid(5) + "')");
  Expect("an update");
  EXPECT_EQ(apps_read_, 1);
  EXPECT_EQ(instances_read_, 2);
  Sql(Copy("app-105a"));
  Expect("one more");
  EXPECT_EQ(apps_read_, 1);
  EXPECT_EQ(instances_read_, 1);
  Sql(kTheirs + ("DELETE FROM desired_lrps WHERE process_guid = '" + Guid(8) +
                 "'; DELETE FROM actual_lrps WHERE process_guid = '" + Guid(9) + "'"));
  Expect("one less");
  EXPECT_EQ(apps_read_, 0);
  EXPECT_EQ(instances_read_, 0);
  Sql(kTheirs +
      ("DELETE FROM desired_lrps WHERE process_guid = '" + Guid(8) +
       "'; DELETE FROM actual_lrps WHERE process_guid = '" + Guid(10) +
       "'; DELETE FROM definitions WHERE process_guid = '" + Guid(8) + "'; ") +
      Copy(Guid(8)));
  Expect("one less and one more");
}

// Only what lies between the two places counts, the second one with it.
TEST_F(Chunks, EndWhereTheirBoundsAre) {
  Cut(5, 20);
  Sql("UPDATE desired_lrps SET instances = instances + 1 WHERE process_guid IN ('" + Guid(5) + "', '" + Guid(6) +
      "', '" + Guid(20) + "', '" + Guid(21) + "')");
  Sql("UPDATE actual_lrps SET zone = 'z' WHERE process_guid IN ('" + Guid(5) + "', '" + Guid(6) + "', '" + Guid(20) +
      "', '" + Guid(21) + "')");
  Expect("an update on both sides of the bounds");
  EXPECT_EQ(apps_read_, 2);
  EXPECT_EQ(instances_read_, 2);
  Sql(kTheirs + ("DELETE FROM desired_lrps WHERE process_guid IN ('" + Guid(5) + "', '" + Guid(20) + "')"));
  Sql(Copy("app-105a") + Copy("app-120a"));
  Expect("rows that come and go there");
  EXPECT_EQ(apps_read_, 1);
}

TEST_F(Chunks, OneAppOfManyInstancesIsCutBetweenTwoOfThem) {
  for (int i = 0; i < 40; ++i) {
    Sql("INSERT INTO actual_lrps SELECT (jsonb_populate_record(t, jsonb_build_object('actual_id', '" + RandomUuid() +
        "', 'instance_index', " + std::to_string(i + 1) + "))).* FROM actual_lrps t WHERE t.process_guid = '" +
        Guid(7) + "' AND t.instance_index = 0");
  }
  instances_ = Whole(*Actuals());
  auto row = std::ranges::find_if(instances_.rows, [](const auto& entry) { return entry.first.guid.str() == Guid(7); });
  instances_.where.after = std::next(row, 5)->first;
  instances_.where.last = std::next(row, 20)->first;
  instances_.rows = Within(instances_.where, instances_.rows);
  ASSERT_EQ(instances_.rows.size(), 15u);
  Expect("the cut");
  EXPECT_EQ(instances_read_, 0);
  Sql("UPDATE actual_lrps SET zone = 'z' WHERE process_guid = '" + Guid(7) + "'");
  Expect("all of the app was written");
  EXPECT_EQ(instances_read_, 15);
}

// A foreign key and our rules forbid it; hands do it.
TEST_F(Chunks, ADefinitionThatSomebodyChangedIsSeen) {
  Sql(kTheirs + ("UPDATE definitions SET memory_mb = 77 WHERE process_guid = '" + Guid(3) + "'"));
  Expect("a change of a definition");
  EXPECT_EQ(apps_read_, 1);
}

TEST_F(Chunks, OneThatCannotBeReadIsReadWithAllOthers) {
  Sql(kTheirs + ("UPDATE desired_lrps SET routes = 'rubbish' WHERE process_guid = '" + Guid(3) +
                 "'; UPDATE actual_lrps SET net_info = 'rubbish' WHERE process_guid = '" + Guid(4) + "'"));
  EXPECT_TRUE(reader_.ReadDesiredSince(WithRows(apps_), kMost)->anew);
  EXPECT_TRUE(reader_.ReadActualsSince(WithRows(instances_), kMost)->anew);
}

TEST_F(Chunks, WhereMuchWasWrittenAllIsRead) {
  Sql("UPDATE desired_lrps SET instances = 7; UPDATE actual_lrps SET zone = 'z'");
  Expect("an update of all");
  EXPECT_EQ(apps_read_, -1);
  EXPECT_EQ(instances_read_, -1);
}

// A row that was written and not committed while the list was read: as a whole, or what was written since.
TEST_F(Chunks, WhatWasUnderWayWhenTheyWereReadIsSeen) {
  const std::string app = " WHERE process_guid = '" + Guid(3) + "'";
  const std::string other = " WHERE process_guid = '" + Guid(4) + "'";
  for (const int looks : {0, 3}) {
    const std::string number = std::to_string(looks);
    for (const std::string& write :
         {"UPDATE desired_lrps SET instances = 1" + number + app + "; UPDATE actual_lrps SET zone = 'late" + number +
              "'" + app,
          "SAVEPOINT a; UPDATE desired_lrps SET instances = 2" + number + app +
              "; RELEASE a; SAVEPOINT b; UPDATE actual_lrps SET zone = 'later" + number + "'" + app + "; RELEASE b",
          Copy("app-103a" + number),
          kTheirs + ("DELETE FROM desired_lrps" + other + "; DELETE FROM actual_lrps" + other)}) {
      const SessionError error =
          OpenSession(direct_url_)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
            s.RunScript("SET LOCAL idle_in_transaction_session_timeout = 0; " + write);
            apps_ = Whole(*Desired());
            instances_ = Whole(*Actuals());
            for (int i = 0; i < looks; ++i) {
              Sql("UPDATE desired_lrps SET instances = instances + 1 WHERE process_guid = '" + Guid(20) + "'");
              Expect("it is under way: " + write);
            }
            return true;
          });
      ASSERT_TRUE(error.ok()) << error.detail;
      Expect("it is committed: " + write);
    }
  }
}

TEST_F(Chunks, AnotherStoreIsReadWhole) {
  apps_.where.mark.store += "0";
  instances_.where.mark.store += "0";
  EXPECT_TRUE(reader_.ReadDesiredSince(WithRows(apps_), kMost)->anew);
  EXPECT_TRUE(reader_.ReadActualsSince(WithRows(instances_), kMost)->anew);
}

TEST_F(Chunks, TablesThatTookTheOnesPlacesAreReadWhole) {
  Sql("CREATE SCHEMA other; CREATE SCHEMA aside; CREATE TABLE other.desired_lrps AS TABLE desired_lrps; CREATE TABLE "
      "other.definitions AS TABLE definitions; "
      "CREATE TABLE other.actual_lrps AS TABLE actual_lrps");
  Expect("nothing that was read was written");
  EXPECT_EQ(apps_read_, 0);
  for (const char* const table : {"desired_lrps", "definitions", "actual_lrps"}) {
    SCOPED_TRACE(table);
    const std::string name(table);
    Expect("before");
    Sql("ALTER TABLE " + name + " SET SCHEMA aside; ALTER TABLE other." + name + " SET SCHEMA public");
    EXPECT_TRUE(reader_.ReadDesiredSince(WithRows(apps_), kMost)->anew);
    EXPECT_TRUE(reader_.ReadActualsSince(WithRows(instances_), kMost)->anew);
    Expect("another table");
  }
}

// A list of some, or of a domain, is nobody's to keep.
TEST_F(Chunks, OnlyAListOfAllHasAMark) {
  ProcessGuid after;
  EXPECT_THAT(reader_.ListDesired({.domain = "test"}, after, 10)->mark.horizon, IsEmpty());
  after = ProcessGuid();
  EXPECT_THAT(reader_.ListDesired({.domain = {}, .guids = {ProcessGuid(Guid(1))}}, after, 10)->mark.horizon, IsEmpty());
  ActualId id;
  after = ProcessGuid();
  EXPECT_THAT(reader_.ListActuals({.domain = {}, .guid = ProcessGuid(Guid(1)), .cell = {}, .index = {}}, after, id, 10)
                  ->mark.horizon,
              IsEmpty());
}

TEST_F(Chunks, AreAsIfAllWereRead) {
  std::mt19937 random(static_cast<unsigned>(LongForm("BATON_EDIT_SEED", 3)));
  const auto below = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  Cut(4, 25);
  for (int round = 0; round < LongForm("BATON_EDIT_ROUNDS", 150); ++round) {
    const std::string app = " WHERE process_guid = '" + Guid(1 + below(kApps - 1)) + "'";  // the first one is copied
    const int which = below(12);
    switch (which) {
      case 0: Sql("UPDATE desired_lrps SET instances = " + std::to_string(round) + app); break;
      case 1: Sql("UPDATE actual_lrps SET zone = '" + std::to_string(round) + "'" + app); break;
      case 2: Sql(kTheirs + ("DELETE FROM desired_lrps" + app)); break;
      case 3: Sql("DELETE FROM actual_lrps" + app); break;
      case 4:
      case 5: Sql(Copy(Guid(1 + below(kApps - 1)) + "-" + std::to_string(round))); break;
      case 6: SqlAlone("VACUUM FREEZE desired_lrps, actual_lrps, definitions"); break;
      case 7: SqlAlone("VACUUM FULL desired_lrps, actual_lrps, definitions"); break;
      case 8: Sql(kTheirs + ("UPDATE definitions SET memory_mb = " + std::to_string(round) + app)); break;
      case 9:
        Sql("UPDATE desired_lrps SET annotation = annotation" + app + "; UPDATE actual_lrps SET zone = zone" + app);
        break;
      case 10:  // it is another app's then
        Sql(kTheirs +
            ("UPDATE actual_lrps SET process_guid = '" + Guid(1 + below(kApps - 1)) +
             "', instance_index = instance_index + " + std::to_string(100 + round)) +
            app);
        break;
      default:
        Sql("UPDATE actual_lrps SET actual_id = gen_random_uuid()::text" +
            app);  // as one that was removed and one that came
    }
    if (below(3) == 0) continue;  // several before the next look
    Expect("round " + std::to_string(round) + ", " + std::to_string(which));
    if (HasFailure()) return;
  }
}

// It gives out the numbers of those again that it forgot.
TEST(ChunksOfAServer, ThatCameBackFromACrashAreReadWhole) {
  OwnPostgres server;
  SilentLog log;
  const auto mark = [&] {
    const auto session = OpenSession(server.postgres->url());
    ProcessGuid after;
    return PgReader(*session, log).ListDesired({}, after, 10)->mark;
  };
  const ReadMark before = mark();
  EXPECT_EQ(mark().store, before.store);
  const auto victim = OpenSession(server.postgres->url());
  std::int64_t pid = 0;
  (void)victim->Transact(Session::Isolation::kReadCommitted,
                         [&](Session& s) { return pid = s.RunScript("SELECT pg_backend_pid()")[0].Int(), true; });
  ASSERT_EQ(kill(static_cast<pid_t>(pid), SIGKILL), 0);
  ASSERT_TRUE(stack::WaitFor(std::chrono::seconds(30), {}, [&] { return victim->Ended(); }));
  ASSERT_TRUE(stack::WaitFor(std::chrono::seconds(60), {}, [&] { return Session::Open(server.postgres->url()).ok(); }));
  EXPECT_NE(mark().store, before.store);
}

}  // namespace
}  // namespace baton
