// The tests that pages name are there, and the check sees where one is not.
#include "tests/tidy/named_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <set>
#include <sstream>

#include "tests/tidy/read_file.h"

namespace baton::tidy {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(NamedTests, AreFoundInSourcesOfAllKinds) {
  EXPECT_THAT(
      TestsIn("TEST(Alpha, One) {\n}\nTEST_F(Beta,\n       Two) {}\nTEST_P(Gamma, Three) {}\nMyTEST(No, Test)\n"),
      ElementsAre("Alpha.One", "Beta.Two", "Gamma.Three"));
}

TEST(NamedTests, OneThatIsNotThereIsNamedWithItsLine) {
  EXPECT_THAT(CheckNamedTests("docs/x.md", "by `Alpha.One`\nand `Alpha.Two`, `a.b`, `docs/x.md`\n", {"Alpha.One"}),
              ElementsAre("docs/x.md:2: there is no test Alpha.Two"));
}

TEST(NamedTests, ARowOfATableOfTestsNamesOne) {
  const std::string page =
      "| what | test |\n|---|---|\n| lease | `Alpha.One` |\n| back-off | later |\n\n| what | why |\n|---|---|\n| a | b "
      "|\n";
  EXPECT_THAT(CheckNamedTests("docs/x.md", page, {"Alpha.One"}), ElementsAre("docs/x.md:4: names no test"));
}

TEST(NamedTests, ThoseOfTheDocumentationAreThere) {
  std::set<std::string> tests;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(BATON_SOURCES) / "tests")) {
    if (entry.path().extension() == ".cc") tests.merge(TestsIn(Read(entry.path())));
  }
  ASSERT_GT(tests.size(), 800u);
  for (const std::string page :
       {"docs/reference/times.md", "docs/internals/track-record.md", "docs/internals/holes.md"}) {
    const std::string text = Read(fs::path(BATON_SOURCES) / page);
    EXPECT_FALSE(text.empty()) << page;
    EXPECT_THAT(CheckNamedTests(page, text, tests), IsEmpty());
  }
}

// Closed ones in the table of tests, open ones in the other: each of the review's is there once.
TEST(NamedTests, EachHoleThatWasFoundIsClosedByOneOrOpen) {
  std::istringstream page(Read(fs::path(BATON_SOURCES) / "docs/internals/holes.md"));
  std::multiset<int> holes;
  int number = 0;
  for (std::string line; std::getline(page, line);) {
    if (std::sscanf(line.c_str(), "| B%d |", &number) == 1) holes.insert(number);
  }
  std::multiset<int> all;
  for (int i = 1; i <= 31; ++i) all.insert(i);
  EXPECT_EQ(holes, all);
}

}  // namespace
}  // namespace baton::tidy
