// What an adoption refuses, each with a sentence that names what is in the way; and what it says when called again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "schema/migrator/migrator.h"
#include "tests/adopt/diego.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"

namespace baton::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Result<adopt::Summary> AdoptWith(const std::string& from, const std::string& into, const std::string& keys) {
  const auto from_session = OpenSession(from);
  const auto into_session = OpenSession(into);
  const auto parsed = adopt::SourceKeys::Parse(keys);
  EXPECT_TRUE(parsed.ok());
  return adopt::Adopt({.from = *from_session, .into = *into_session, .keys = *parsed});
}

void ExpectRefused(const Result<adopt::Summary>& result, const ::testing::Matcher<std::string>& sentence) {
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::kFailedPrecondition);
  EXPECT_THAT(result.error().message, sentence);
}

std::string Tables(const std::string& url) {
  return Psql(url,
              "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', "
              "'information_schema') ORDER BY 1, 2");
}

class Refusals : public ::testing::Test {
 protected:
  Refusals() : diego({"--apps", "4", "--instances", "1"}), into(FreshDatabase()) {}
  void Change(const std::string& sql) const { Psql(diego.url(), sql); }
  void ExpectNothingMade(const ::testing::Matcher<std::string>& sentence) const {
    ExpectRefused(AdoptInto(diego, into), sentence);
    EXPECT_EQ(Tables(into), "");
  }
  Result<adopt::Summary> Drop() const { return adopt::DropSource(*OpenSession(diego.url()), *OpenSession(into)); }

  const Diego diego;
  const std::string into;
};

TEST_F(Refusals, AWrongPassphrase) {
  ExpectRefused(AdoptWith(diego.url(), into, R"({"label-0": "passphrase 0 of seed 1", "label-1": "wrong"})"),
                AllOf(HasSubstr("passphrase of key label 'label-1'"), HasSubstr("it is another one"),
                      ::testing::Not(HasSubstr("wrong"))));
  EXPECT_EQ(Tables(into), "");
}

TEST_F(Refusals, AnActiveLabelThatIsNotAmongTheKeys) {
  ExpectRefused(AdoptWith(diego.url(), into, R"({"other": "x"})"),
                AllOf(HasSubstr("encrypted with key label 'label-1'"), HasSubstr("the keys are 'other'")));
  EXPECT_EQ(Tables(into), "");
}

TEST_F(Refusals, ADatabaseThatIsNotDiegos) {
  ExpectRefused(AdoptWith(FreshDatabase(), into, R"({"a": "b"})"), HasSubstr("no Diego database: it has no table"));
  ExpectRefused(AdoptWith(MigratedDatabase(), into, R"({"a": "b"})"), HasSubstr("it has no table configurations"));
  EXPECT_EQ(Tables(into), "");
}

TEST_F(Refusals, AMissingColumnIsNamed) {
  Change("ALTER TABLE actual_lrps DROP COLUMN routable");
  ExpectNothingMade(HasSubstr("table actual_lrps has no column routable"));
}

TEST_F(Refusals, AnOlderLevel) {
  Change("UPDATE configurations SET value = '{\"CurrentVersion\":1529530809}' WHERE id = 'version'");
  ExpectNothingMade(AllOf(HasSubstr("level 1529530809"), HasSubstr("let a newer BBS migrate it first")));
}

TEST_F(Refusals, ANewerLevel) {
  Change("UPDATE configurations SET value = '{\"CurrentVersion\":1999999999}' WHERE id = 'version'");
  ExpectNothingMade(AllOf(HasSubstr("level 1999999999"), HasSubstr("a newer baton")));
}

TEST_F(Refusals, ALevelThatIsNone) {
  Change("UPDATE configurations SET value = 'rubbish' WHERE id = 'version'");
  ExpectNothingMade(HasSubstr("configurations.version of the source is 'rubbish'"));
  Change("DELETE FROM configurations");
  ExpectNothingMade(HasSubstr("no row 'version'"));
}

TEST_F(Refusals, ATargetThatHoldsSomethingElse) {
  Psql(into, "CREATE TABLE customers (name text)");
  ExpectRefused(AdoptInto(diego, into), HasSubstr("--into holds 1 tables already"));
  EXPECT_EQ(Tables(into), "public|customers\n");
  ExpectRefused(AdoptInto(diego, diego.url()), HasSubstr("tables already"));
}

TEST_F(Refusals, ABatonThatIsInUse) {
  ExpectRefused(AdoptInto(diego, MigratedDatabase()), AllOf(HasSubstr("in use (schema 2."), HasSubstr("an empty one")));
}

TEST_F(Refusals, ABatonOf1ThatWasNotAdopted) {
  ASSERT_TRUE(AdoptInto(diego, into).ok());
  Psql(into, "DELETE FROM legacy.adoption");
  ExpectRefused(AdoptInto(diego, into), HasSubstr("in use (schema 1.1.0)"));
  EXPECT_EQ(Psql(into, "SELECT count(*) FROM legacy.desired_lrps"), "4\n");
}

TEST_F(Refusals, ASourceThatIsWrittenToWhileItIsRead) {
  Session::SetHook([&](std::string_view statement) {
    if (statement == "EndApps") Change("UPDATE desired_lrps SET instances = instances");
  });
  const auto first = AdoptInto(diego, into);
  Session::SetHook(nullptr);
  ExpectRefused(first, HasSubstr("was written to while it was read: stop every BBS"));
  const auto second = AdoptInto(diego, into);
  ASSERT_TRUE(second.ok()) << second.error().message;
  EXPECT_TRUE(second->began_again);
  EXPECT_EQ(second->apps, 4);
}

TEST_F(Refusals, TheSecondTimeNothingIsDone) {
  ASSERT_TRUE(AdoptInto(diego, into).ok());
  const std::string before = PgDump(into, {});
  const auto second = AdoptInto(diego, into);
  ASSERT_TRUE(second.ok()) << second.error().message;
  EXPECT_TRUE(second->did_nothing);
  EXPECT_EQ(second->instances, 4);
  EXPECT_EQ(PgDump(into, {}), before);
}

// It was migrated as far as it had come, and the rest could not be adopted any more.
TEST_F(Refusals, NobodyMigratesWhatIsNotWhollyAdoptedYet) {
  Session::SetHook([](std::string_view statement) {
    if (statement == "EndApps") throw StatementFault{"57P01"};
  });
  const auto killed = AdoptInto(diego, into, 1);
  Session::SetHook(nullptr);
  ASSERT_FALSE(killed.ok());
  const std::string before = PgDump(into, {});
  const Status early = Migrate(*OpenSession(into));
  ASSERT_FALSE(early.ok());
  EXPECT_EQ(early.error().kind, ErrorKind::kFailedPrecondition);
  EXPECT_THAT(early.error().message,
              AllOf(HasSubstr("not finished (4 apps so far)"), HasSubstr("nothing was changed")));
  EXPECT_EQ(PgDump(into, {}), before);
  ASSERT_TRUE(AdoptInto(diego, into, 1).ok());
  EXPECT_TRUE(Migrate(*OpenSession(into)).ok());
}

TEST_F(Refusals, ASourceThatChangedSinceItWasAdopted) {
  ASSERT_TRUE(AdoptInto(diego, into).ok());
  Change("UPDATE actual_lrps SET crash_count = crash_count");
  ExpectRefused(AdoptInto(diego, into), HasSubstr("written to since"));
  ExpectRefused(Drop(), HasSubstr("Diego's tables stay"));
}

TEST_F(Refusals, OfTwoAtTheSameTimeOneStops) {
  std::atomic<bool> nested = false;
  Session::SetHook([&](std::string_view statement) {
    if (statement != "DiegoInstances" || nested.exchange(true)) return;
    EXPECT_TRUE(AdoptInto(diego, into).ok());  // another one, between two statements of this one
  });
  const auto first = AdoptInto(diego, into, 1);
  Session::SetHook(nullptr);
  ExpectRefused(first, HasSubstr("another adoption into this database is under way"));
  EXPECT_EQ(Psql(into, "SELECT count(*), (SELECT phase FROM legacy.adoption) FROM legacy.desired_lrps"), "4|DONE\n");
}

// The domains were written before the record was looked at: the slower one of two failed on a key that was there.
TEST_F(Refusals, OfTwoThatAreAtTheEndTheSlowerOneNamesTheOther) {
  int transactions = 0;
  bool nested = false;
  Session::SetHook([&](std::string_view statement) {
    // 1 prepares, 2 is the only batch, 3 the rest.
    if (statement != "LockMigrations" || nested || ++transactions != 3) return;
    nested = true;
    EXPECT_TRUE(AdoptInto(diego, into).ok());
  });
  const auto first = AdoptInto(diego, into);
  Session::SetHook(nullptr);
  EXPECT_TRUE(nested);
  ExpectRefused(first, HasSubstr("another adoption into this database is under way"));
  EXPECT_EQ(Psql(into, "SELECT count(*) > 0, (SELECT phase FROM legacy.adoption) FROM legacy.domains"), "t|DONE\n");
}

// The first one's batch was written under the record of the second, which reads another state of the source; the next
// call called the first one's rows done.
TEST_F(Refusals, OfTwoThatReadDifferentStatesTheFirstWritesNothingMore) {
  std::atomic<int> nested = 0;  // 1: the second is at work
  Session::SetHook([&](std::string_view statement) {
    if (nested == 1 && statement == "AdvanceAdoption") throw StatementFault{"57P01"};  // it dies before its first batch
    if (nested != 0 || statement != "DiegoInstances") return;
    nested = 1;
    Change("UPDATE desired_lrps SET instances = instances + 3");
    EXPECT_FALSE(AdoptInto(diego, into, 1).ok());
    nested = 2;
  });
  const auto first = AdoptInto(diego, into, 1);
  Session::SetHook(nullptr);
  ExpectRefused(first, HasSubstr("another adoption into this database is under way"));
  ASSERT_TRUE(AdoptInto(diego, into).ok());
  const std::string instances = "SELECT process_guid, instances FROM ";
  EXPECT_EQ(Psql(into, instances + "legacy.desired_lrps ORDER BY 1"),
            Psql(diego.url(), instances + "desired_lrps ORDER BY 1"));
}

TEST_F(Refusals, DropsTheSourceOnlyWhenAllOfItIsTakenOver) {
  const std::string before = diego.Dump();
  ExpectRefused(Drop(), HasSubstr("no finished adoption"));
  EXPECT_EQ(diego.Dump(), before);
  ASSERT_TRUE(AdoptInto(diego, into).ok());
  const auto dropped = Drop();
  ASSERT_TRUE(dropped.ok()) << dropped.error().message;
  EXPECT_EQ(Tables(diego.url()), "");
}

TEST_F(Refusals, DropsNothingWhereARowWasLeftOut) {
  Change("UPDATE desired_lrps SET run_info = '02' WHERE process_guid = (SELECT min(process_guid) FROM desired_lrps)");
  const std::string before = diego.Dump();
  ASSERT_TRUE(AdoptInto(diego, into).ok());
  ExpectRefused(Drop(), HasSubstr("left rows or fields out"));
  EXPECT_EQ(diego.Dump(), before);
}

}  // namespace
}  // namespace baton::testing
