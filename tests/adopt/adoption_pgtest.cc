// A Diego database becomes one of 1.1, and then one of 2.x: every field of every row, or a line that names it.
#include "tools/adopt/adoption.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/adopt/diego.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"

namespace baton::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Adoption, TakesOverEveryFieldOfEveryRow) {
  const Diego diego({"--apps", "60", "--instances", "4", "--labels", "3"});
  const std::string before = diego.Dump();
  const std::string into = FreshDatabase();
  const auto summary = AdoptInto(diego, into);
  ASSERT_TRUE(summary.ok()) << summary.error().message;
  EXPECT_EQ(summary->apps, 60);
  EXPECT_EQ(summary->instances, 240);
  EXPECT_EQ(summary->domains, 3);
  EXPECT_EQ(summary->tasks, 2);
  EXPECT_TRUE(summary->complete());
  EXPECT_EQ(Psql(into, "SELECT current, target, current_semver FROM versions"), "2|2|1.1.0\n");
  EXPECT_THAT(CopyToTarget(into), IsEmpty());
  EXPECT_EQ(Compared(diego, into, ReportOf(*summary, into)), "");
  EXPECT_EQ(diego.Dump(), before) << "the source was written to";
}

class EachLevel : public ::testing::TestWithParam<const char*> {};

TEST_P(EachLevel, IsTakenOver) {
  const Diego diego({"--apps", "12", "--level", GetParam(), "--seed", GetParam()});
  const std::string into = FreshDatabase();
  const auto summary = AdoptInto(diego, into);
  ASSERT_TRUE(summary.ok()) << summary.error().message;
  EXPECT_TRUE(summary->complete());
  EXPECT_THAT(CopyToTarget(into), IsEmpty());
  EXPECT_EQ(Compared(diego, into, ReportOf(*summary, into)), "");
}

INSTANTIATE_TEST_SUITE_P(OfDiego, EachLevel,
                         ::testing::Values("1686692176", "1698182853", "1722634733", "1764949919", "1772581987"));

TEST(Adoption, NamesEachRowThatCannotBeTakenOver) {
  const Diego diego({"--apps", "5", "--hostile"});
  const std::string into = FreshDatabase();
  const auto summary = AdoptInto(diego, into);
  ASSERT_TRUE(summary.ok()) << summary.error().message;
  EXPECT_FALSE(summary->complete());
  const nlohmann::json report = ReportOf(*summary, into);
  EXPECT_EQ(report["complete"], false);
  const auto told = [&](const std::string& kind, const nlohmann::json& expected) {
    for (const auto& line : report["left_out"]) {
      if (line["kind"] != kind || line["key"] != expected["key"]) continue;
      if (kind == "FIELD" ? line["field"] != expected["field"] : line["table"] != expected["table"]) continue;
      if (line["reason"].get<std::string>().find(expected["reason"]) != std::string::npos) return true;
      ADD_FAILURE() << line;
    }
    return false;
  };
  for (const auto& expected : diego.manifest()["left_out"]) EXPECT_TRUE(told("ROW", expected)) << expected;
  for (const auto& expected : diego.manifest()["fields"]) EXPECT_TRUE(told("FIELD", expected)) << expected;
  EXPECT_EQ(report["rows_left_out"], diego.manifest()["left_out"].size()) << "others are left out as well";
  EXPECT_EQ(report["fields_left_out"], diego.manifest()["fields"].size());
  EXPECT_THAT(CopyToTarget(into), IsEmpty()) << "what 2.0 cannot hold was let in";
  EXPECT_EQ(Compared(diego, into, report), "");
}

// They are taken over, and nothing says so until an instance of them is to be placed.
TEST(Adoption, NotesEachAppThatNoBatonCellStarts) {
  const Diego diego({"--apps", "60", "--instances", "1"});
  const std::string into = FreshDatabase();
  const auto summary = AdoptInto(diego, into);
  ASSERT_TRUE(summary.ok()) << summary.error().message;
  EXPECT_TRUE(summary->complete()) << "nothing is left out";
  std::map<std::string, int> noted;
  const nlohmann::json report = ReportOf(*summary, into);
  for (const auto& line : report["left_out"]) {
    if (line["kind"] != "NOTE" || line["table"] != "desired_lrps") continue;
    ++noted[line["field"].get<std::string>()];
    if (line["field"] == "run_info.egress_rules") {
      EXPECT_THAT(line["reason"].get<std::string>(), HasSubstr("baton domain egress"));
    }
  }
  EXPECT_GE(noted["run_info.egress_rules"], 15);
  EXPECT_GE(noted["run_info.volume_mounts"], 1);
  EXPECT_EQ(noted.count("run_info.volume_driver.nfs"), 0U);
}

TEST(Adoption, OfBytesThatAreNoTextEachRowIsNamed) {
  std::string url = FreshDatabase();
  const std::size_t name = url.find("dbname=") + 7;
  Psql(url, "CREATE DATABASE bytes TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'");
  const Diego diego({"--apps", "8", "--instances", "1"}, url.replace(name, url.find(' ', name) - name, "bytes"));
  Psql(url,
       "UPDATE desired_lrps SET log_guid = E'\\xff' WHERE process_guid = (SELECT min(process_guid) FROM desired_lrps); "
       "UPDATE desired_lrps SET process_guid = E'\\xfe' WHERE process_guid = (SELECT max(process_guid) FROM "
       "desired_lrps); "
       "UPDATE actual_lrps SET cell_id = E'\\xfd', state = 'RUNNING', instance_guid = 'i' WHERE process_guid = "
       "(SELECT min(process_guid) FROM desired_lrps WHERE log_guid <> E'\\xff'); "
       "INSERT INTO domains VALUES (E'\\xfc', 1)");
  const std::string into = FreshDatabase();
  const auto summary = AdoptInto(diego, into, 1);
  ASSERT_TRUE(summary.ok()) << summary.error().message;
  EXPECT_EQ(summary->apps, 6);
  EXPECT_EQ(summary->instances, 5);
  EXPECT_EQ(summary->domains, 3);
  const nlohmann::json report = ReportOf(*summary, into);
  // Two apps with their instances (one of which has lost its app's name), an instance, a domain.
  EXPECT_EQ(report["rows_left_out"], 6) << report;
  EXPECT_THAT(CopyToTarget(into), IsEmpty());
}

}  // namespace
}  // namespace baton::testing
