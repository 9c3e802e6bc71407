// The tests that pages name are there, and the check sees where one is not.
#include "tests/tidy/named_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "tests/tidy/read_file.h"

namespace baton::tidy {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

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
  const fs::path root(BATON_SOURCES);
  std::vector<fs::path> pages = {root / "docs/reference/times.md"};
  for (const auto& entry : fs::directory_iterator(root / "docs/internals")) pages.push_back(entry.path());
  ASSERT_GT(pages.size(), 5u);
  for (const fs::path& page : pages) {
    const std::string text = Read(page);
    EXPECT_FALSE(text.empty()) << page;
    EXPECT_THAT(CheckNamedTests(fs::relative(page, root), text, tests), IsEmpty());
  }
}

// The numbers that a page gives out, as "**I1 floor": those that have a row of tests are the same.
TEST(NamedTests, EachPromiseAndEachRuleHasItsRow) {
  const std::string text = Read(fs::path(BATON_SOURCES) / "docs/internals/invariants.md");
  std::multiset<std::string> given;
  std::multiset<std::string> held;
  static const std::regex kGiven(R"(\n- \*\*([ID][0-9]+)[ *])");
  static const std::regex kHeld(R"(\n\| ([ID][0-9]+) \|)");
  for (std::sregex_iterator m(text.begin(), text.end(), kGiven); m != std::sregex_iterator(); ++m)
    given.insert((*m)[1]);
  for (std::sregex_iterator m(text.begin(), text.end(), kHeld); m != std::sregex_iterator(); ++m) held.insert((*m)[1]);
  EXPECT_EQ(given.size(), 71U);
  EXPECT_EQ(held, given);
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
