// Columns of a result by their names.
#include "sql/session/column.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>
#include <vector>

#include "sql/session/rows.h"

namespace baton {
namespace {

Rows Given(std::vector<std::string_view> names, std::vector<std::string_view> cells) {
  return {nullptr, std::move(cells), ColumnNames(std::move(names))};
}

// A join: apps with their definitions, of which the second one's is gone.
Rows Join() {
  return Given({"process_guid", "incarnation", "created_at", "definition_identifier", "created_at", "run_info"},
               {"web", "3", "2026-11-20 21:34:05+00", "v1", "2026-11-21 21:34:05+00", "\\x4254",
                "job", "4", "2026-11-22 21:34:05+00", {}, {}, {}});
}

TEST(Column, IsFoundByItsNameInEachRow) {
  const Rows rows = Join();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].Text("process_guid"), "web");
  EXPECT_EQ(rows[0].Int("incarnation"), 3);
  EXPECT_EQ(rows[0].Bytes("run_info"), "BT");
  EXPECT_EQ(rows[1].Text("process_guid"), "job");
  EXPECT_EQ(rows[1].Int("incarnation"), 4);
  EXPECT_TRUE(rows[1].IsNull("run_info"));
}

TEST(Column, OfANameThatStandsTwiceIsTheFirst) {
  EXPECT_EQ(Join()[0].Time("created_at"), ParseTime("2026-11-20 21:34:05+00"));
}

TEST(Column, OfTheSecondHalfOfAJoinIsLookedForFromThereOn) {
  const Rows rows = Join();
  const Rows::Row definition = rows[0].From("definition_identifier");
  EXPECT_EQ(definition.Text("definition_identifier"), "v1");
  EXPECT_EQ(definition.Time("created_at"), ParseTime("2026-11-21 21:34:05+00"));
  EXPECT_EQ(definition.Text("run_info"), "\\x4254");
  EXPECT_EQ(rows[1].From("definition_identifier").OptionalTime("created_at"), std::nullopt);
  EXPECT_TRUE(rows[1].OptionalTime("created_at")) << "the app's own";
  EXPECT_EQ(definition.From("created_at").CellAt(1), "\\x4254");
}

TEST(Column, OfAListedNameIsTheSame) {
  const std::string_view listed = "incarnation";
  EXPECT_EQ(Join()[1].Int(Column::Of(listed)), 4);
}

TEST(Column, WhoseNameTheStatementDoesNotGiveEndsTheProgramAndItSaysWhatThereIs) {
  const Rows rows = Join();
  EXPECT_DEATH(rows[0].Text("domain"),
               "a statement gives no column \"domain\"; it gives process_guid incarnation created_at definition_identifier "
               "created_at run_info");
  EXPECT_DEATH(rows[0].From("definition_identifier").Text("process_guid"),
               "a statement gives no column \"process_guid\"; it gives definition_identifier created_at run_info");
}

TEST(Column, OfAResultThatHasOnlyOneNeedsNoName) {
  EXPECT_EQ(Given({"count"}, {"17"})[0].Int(), 17);
  EXPECT_TRUE(Given({"?column?"}, {"t"})[0].Bool());
  EXPECT_EQ(Given({"label"}, {"2026"})[0].Text(), "2026");
  EXPECT_DEATH(Join()[0].Text(), "CHECK failed");
}

TEST(Column, ThatIsNullHasNoValue) {
  const Rows rows = Join();
  EXPECT_EQ(rows[1].TextOrEmpty("run_info"), "");
  EXPECT_DEATH(rows[1].Text("run_info"), "CHECK failed");
}

TEST(Column, IsFoundInNoRowsWithoutAWord) {
  const Rows rows = Given({"process_guid"}, {});
  EXPECT_TRUE(rows.empty());
  EXPECT_EQ(rows.size(), 0u);
  EXPECT_TRUE(Rows().empty());
}

}  // namespace
}  // namespace baton
