// What pages name is there, and the check sees where it is not.
#include "tests/tidy/named_things.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tidy/read_file.h"

namespace baton::tidy {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(NamedThings, OneThatIsNotThereIsNamedWithItsLine) {
  const std::string sources = R"(add_option("--keys"); Warn("key_half_used"); envname("BATON_KEYS_FILE"))";
  EXPECT_THAT(
      CheckNamedThings("docs/x.md", "`--keys FILE` (`BATON_KEYS_FILE`),\n`key_half_used`, `does_not_stand`\n", sources),
      ElementsAre("docs/x.md:2: nothing in the sources is called does_not_stand"));
}

TEST(NamedThings, OfASampleOnlyItsOptionsAreLookedAt) {
  EXPECT_THAT(CheckNamedThings("docs/x.md", "```\n$ baton get --whole my_app\n```\nmy_app is not code\n", "--all"),
              ElementsAre("docs/x.md:2: nothing in the sources is called --whole"));
}

// All that a name may stand in: code, statements, messages, scripts, examples, settings of what is deployed with it.
std::string Sources() {
  const fs::path root(BATON_SOURCES);
  std::string all = Read(root / "dev");
  for (const char* folder :
       {"convergence", "deploy", "examples", "orchestrator", "proto", "schema", "sql", "tests", "tools"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const bool own = fs::relative(entry.path(), root).string().starts_with("tests/tidy");
      if (entry.is_regular_file() && entry.path().extension() != ".md" && !own) all += Read(entry.path());
    }
  }
  return all;
}

// Not what speaks of what is not there: past one machine, the roadmap.
TEST(NamedThings, ThoseOfTheDocumentationAreThere) {
  const std::string sources = Sources();
  ASSERT_GT(sources.size(), 1'000'000u);
  const fs::path root(BATON_SOURCES);
  std::vector<fs::path> pages = {root / "README.md", root / "CONTRIBUTING.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs")) {
    const bool decision = entry.path().parent_path().filename() == "decisions";
    if (entry.path().extension() == ".md" && !decision) pages.push_back(entry.path());
  }
  for (const auto& entry : fs::recursive_directory_iterator(root / "examples")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  for (const fs::path& page : pages) {
    if (page.filename() == "scaling.md" || page.filename() == "roadmap.md") continue;
    EXPECT_THAT(CheckNamedThings(fs::relative(page, root), Read(page), sources), IsEmpty());
  }
}

}  // namespace
}  // namespace baton::tidy
