// A migration's file, taken apart.
#include "schema/migrator/steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/migrator/shipped.h"

namespace baton {
namespace {

using ::testing::ElementsAre;

TEST(Steps, OfAFileWithEveryKind) {
  const Migration m = ParseMigration(7, "0007_x.sql", "1.2.3",
                                     "-- What it is.\nCREATE TABLE a ();\n-- @copy Copy7\n-- said of what follows\n"
                                     "-- @outside i\nCREATE INDEX CONCURRENTLY i\n  ON a (b);\n-- @contract\nDROP TABLE c;\n"
                                     "-- @loses SELECT 1\n-- @loses SELECT 2\n-- @down-expand\nCREATE TABLE c ();\n"
                                     "-- @down-copy Back7\n-- @down-contract\nDROP TABLE a;\n");
  EXPECT_EQ(m.checksum.size(), 64u);
  std::vector<std::string> steps;
  for (const MigrationStep& s : m.steps) steps.push_back(std::string(Name(s.kind)) + " " + s.name);
  EXPECT_THAT(steps, ElementsAre("expand expand", "copy Copy7", "outside i", "contract contract", "loses loses",
                                 "loses loses2", "down-expand down-expand", "down-copy Back7",
                                 "down-contract down-contract"));
  EXPECT_EQ(m.Of(PartKind::kOutside)[0].sql, "CREATE INDEX CONCURRENTLY i\n  ON a (b);\n");
  EXPECT_EQ(m.Of(PartKind::kLoses)[1].sql, "SELECT 2");
  EXPECT_TRUE(m.HasDown());
}

TEST(Steps, AFileWithoutMarksIsAnExpand) {
  const Migration m = ParseMigration(1, "f", "1.0.0", "CREATE TABLE a ();\n");
  ASSERT_EQ(m.steps.size(), 1u);
  EXPECT_EQ(m.steps[0].kind, PartKind::kExpand);
  EXPECT_FALSE(m.HasDown());
}

TEST(Steps, AMarkThatNobodyKnowsIsNoComment) {
  EXPECT_DEATH(ParseMigration(1, "f", "1.0.0", "-- @expnad\nSELECT 1;\n"), "nobody knows");
}

TEST(Steps, StatementsEndWithTheirLine) {
  EXPECT_THAT(StatementsOf("-- c\nA;\nB -- not; here\n  C;  -- said\nDO $$ BEGIN\n X; END $$;\n\n-- end\n"),
              ElementsAre("-- c\nA;\n", "B -- not; here\n  C;  -- said\n", "DO $$ BEGIN\n X; END $$;\n"));
  EXPECT_DEATH(StatementsOf("A\n"), "semicolon");
}

TEST(Steps, EveryShippedFileIsReadWhole) {
  for (const Migration& m : ShippedMigrations()) {
    for (const MigrationStep& step : m.steps) {
      const bool script = step.kind != PartKind::kLoses && !step.sql.empty();
      EXPECT_TRUE(!script || !StatementsOf(step.sql).empty()) << step.name;
      if (step.kind == PartKind::kOutside) {
        EXPECT_EQ(StatementsOf(step.sql).size(), 1u) << step.name;
        EXPECT_NE(step.sql.find("INDEX CONCURRENTLY " + step.name + " ON"), std::string::npos) << step.sql;
      }
    }
  }
}

}  // namespace
}  // namespace baton
