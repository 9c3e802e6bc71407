// The files and folders that pages name are there, and the check sees where one is not.
#include "tests/tidy/named_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "tests/tidy/read_file.h"
#include "tests/tidy/rules.h"

namespace baton::tidy {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::set<std::string>& SomeFiles() {
  static const std::set<std::string> kFiles = {"sql/store/batch.cc", "sql/store/batch.h", "tools/batond/main.cc"};
  return kFiles;
}

TEST(NamedPaths, OneThatIsNotThereIsNamedWithItsLine) {
  EXPECT_THAT(
      CheckNamedPaths("docs/x.md", "`sql/store/batch.cc`, `sql/store`,\nsql/store/, sql/batch.cc.\n", SomeFiles()),
      ElementsAre("docs/x.md:2: there is no sql/batch.cc."));
  EXPECT_THAT(CheckNamedPaths("docs/x.md", "`batch.cc` and `batches.cc`\n", SomeFiles()),
              ElementsAre("docs/x.md:1: there is no batches.cc"));
}

TEST(NamedPaths, StarsAndBracesAreEachOfThem) {
  EXPECT_THAT(CheckNamedPaths("docs/x.md", "tools/*/main.cc sql/store/batch.{h,cc}\n", SomeFiles()), IsEmpty());
  EXPECT_THAT(CheckNamedPaths("docs/x.md", "tools/*/mine.cc sql/{store,read}\n", SomeFiles()),
              ElementsAre("docs/x.md:1: there is no tools/*/mine.cc", "docs/x.md:1: there is no sql/read"));
}

TEST(NamedPaths, WhatTheReaderFillsInAndOtherTreesAreLeftAlone) {
  EXPECT_THAT(
      CheckNamedPaths("docs/x.md", "tools/PROGRAM sql/NNNN_NAME.sql /etc/tools/x build/sql/x https://a.b/docs/x\n",
                      SomeFiles()),
      IsEmpty());
}

std::set<std::string> AllFiles() {
  const fs::path root(BATON_SOURCES);
  std::set<std::string> files = {"CHANGELOG.md", "CONTRIBUTING.md", "README.md"};
  for (const char* folder : {"cmake", "convergence", "deploy", "docs", "examples", "orchestrator", "proto", "schema",
                             "sql", "tests", "tools"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.is_regular_file()) files.insert(fs::relative(entry.path(), root));
    }
  }
  return files;
}

TEST(NamedPaths, ThoseOfTheDocumentationAreThere) {
  const std::set<std::string> files = AllFiles();
  ASSERT_GT(files.size(), 1000U);
  int pages = 0;
  for (const std::string& file : files) {
    if (!file.ends_with(".md") || file == "CHANGELOG.md" || file == "docs/generated/floors.md") continue;
    ++pages;
    EXPECT_THAT(CheckNamedPaths(file, Read(fs::path(BATON_SOURCES) / file), files), IsEmpty());
  }
  EXPECT_GT(pages, 70);
}

// They are what paths begin with, as "convergence/cells" of cells.h.
TEST(NamedPaths, ThoseOfTheFloorsAreThere) {
  const std::set<std::string> files = AllFiles();
  const auto begins_one = [&](const std::string& path) {
    const auto first = files.lower_bound(path);
    return path.starts_with("baton/") || (first != files.end() && first->starts_with(path));
  };
  for (const Floor& floor : Floors()) {
    EXPECT_TRUE(begins_one(floor.folder)) << floor.folder;
    for (const std::string& below : floor.may_include) EXPECT_TRUE(begins_one(below)) << floor.folder << ": " << below;
  }
}

}  // namespace
}  // namespace baton::tidy
