// The checker sees what it is there to see.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tidy/checker.h"
#include "tests/tidy/rules.h"

namespace baton::tidy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kHeader[] = "// What it is.\n#pragma once\n";

TEST(Checker, TakesWhatIsInOrder) {
  EXPECT_THAT(Check("orchestrator/roll/x.h", std::string(kHeader) + "#include \"orchestrator/model/id.h\"\n"),
              IsEmpty());
  EXPECT_THAT(Check("sql/session/session.cc", "#include <pqxx/pqxx>\n"), IsEmpty());
}

TEST(Checker, SeesAnIncludeThatGoesUpward) {
  EXPECT_THAT(Check("orchestrator/roll/x.cc", "\n#include \"orchestrator/app/leader/loop.h\"\n"),
              ElementsAre(HasSubstr(
                  "orchestrator/roll/x.cc:2: orchestrator/roll/ may not include orchestrator/app/leader/loop.h")));
  EXPECT_THAT(Check("convergence/plan.cc", "#include \"convergence/sweep.h\"\n"),
              ElementsAre(HasSubstr("may not include")));
  EXPECT_THAT(Check("tools/cell/x.cc", "#include \"orchestrator/app/leader/loop.h\"\n"),
              ElementsAre(HasSubstr("may not include")));
}

// proto < orchestrator < convergence < sql < schema < tools
TEST(Floors, NoneMayIncludeWhatStandsAboveIt) {
  const auto storey = [](const std::string& path) {
    return std::ranges::find(Storeys(), path.substr(0, path.find('/'))) - Storeys().begin();
  };
  for (const Floor& floor : Floors()) {
    for (const std::string& below : floor.may_include) {
      EXPECT_LE(storey(below), storey(floor.folder)) << floor.folder << " may include " << below;
    }
  }
}

TEST(Checker, SeesAFolderOnNoFloor) {
  EXPECT_THAT(Check("orchestrator/attic/x.cc", ""), ElementsAre(HasSubstr("is on no floor")));
}

TEST(Checker, SeesLibrariesWhereTheyDoNotBelong) {
  EXPECT_THAT(Check("orchestrator/app/x.cc", "#include <pqxx/pqxx>\n"), ElementsAre(HasSubstr("libpqxx in one place")));
  EXPECT_THAT(Check("orchestrator/app/x.cc", "#include <grpcpp/grpcpp.h>\n"),
              ElementsAre(HasSubstr("gRPC at the outer edge")));
  EXPECT_THAT(Check("orchestrator/roll/x.h", std::string(kHeader) + "#include <boost/msm/back/state_machine.hpp>\n"),
              ElementsAre(HasSubstr("Boost.MSM in .cc files")));
  EXPECT_THAT(Check("orchestrator/roll/x.h", std::string(kHeader) + "#include \"orchestrator/base/pure_law.h\"\n"),
              ElementsAre(HasSubstr("Boost.MSM in .cc files")));
}

TEST(Checker, SeesClocksSleepsAndSqlInTheWrongPlace) {
  EXPECT_THAT(Check("orchestrator/roll/x.cc", "auto now = std::chrono::system_clock::now();\n"),
              ElementsAre(HasSubstr("no clock")));
  EXPECT_THAT(Check("orchestrator/app/x.cc", "std::this_thread::sleep_for(x);\n"),
              ElementsAre(HasSubstr("no sleeping")));
  EXPECT_THAT(Check("sql/x.cc", "run(\"DELETE FROM apps\");\n"), ElementsAre(HasSubstr("no SQL in C++")));
}

TEST(Checker, SeesAColumnByNumber) {
  EXPECT_THAT(Check("sql/x.cc", "if (row.IsNull(3)) return row.Text(12);\n"), ElementsAre(HasSubstr("a column has a name")));
  EXPECT_THAT(Check("tools/adopt/x.cc", "return rows[0].Int(0);\n"), ElementsAre(HasSubstr("a column has a name")));
  EXPECT_THAT(Check("sql/x.cc", "return row.Text(\"domain\") + rows[0].Text();\n"), IsEmpty());
}

TEST(Checker, SeesWhatIsToComeOutsideOfTheRoadmap) {
  EXPECT_THAT(Check("docs/internals/rolls.md", "Not yet built: the queue.\n"), SizeIs(1));
  EXPECT_THAT(Check("proto/baton/v2/roll.proto", "// Will be supported one day.\n"), SizeIs(1));
  EXPECT_THAT(Check("docs/internals/roadmap.md", "Not built yet: the queue.\n"), IsEmpty());
}

TEST(Checker, SeesWhatIsTooLong) {
  std::string body = "void Long() {\n";
  for (int i = 0; i < 70; ++i) body += "  Go();\n";
  EXPECT_THAT(Check("sql/x.cc", body + "}\n"), ElementsAre(HasSubstr("sql/x.cc:1: is 72 lines long")));
  std::string file;
  for (int i = 0; i < 401; ++i) file += "int x;\n";
  EXPECT_THAT(Check("sql/x.cc", file), ElementsAre(HasSubstr("has 401 lines")));
}

TEST(Checker, SeesAHeaderWithoutAWordOrAPragma) {
  EXPECT_THAT(Check("sql/x.h", "int x;\n"),
              ElementsAre(HasSubstr("saying what it is for"), HasSubstr("no #pragma once")));
}

}  // namespace
}  // namespace baton::tidy
