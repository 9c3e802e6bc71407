// The sources keep the rules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tidy/checker.h"
#include "tests/tidy/read_file.h"

namespace baton::tidy {
namespace {

namespace fs = std::filesystem;

bool Checked(const fs::path& path) {
  const std::string ending = path.extension();
  return ending == ".cc" || ending == ".h" || ending == ".proto" || ending == ".sql" || ending == ".md";
}

void CheckFile(const fs::path& path, std::vector<std::string>& faults) {
  const auto found = Check(fs::relative(path, BATON_SOURCES), Read(path));
  faults.insert(faults.end(), found.begin(), found.end());
}

TEST(Tidy, TheSourcesKeepTheRules) {
  std::vector<std::string> faults;
  int files = 0;
  for (const char* page : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}) CheckFile(fs::path(BATON_SOURCES) / page, faults);
  for (const char* folder : {"convergence", "docs", "examples", "orchestrator", "proto", "schema", "sql", "tests", "tools"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(BATON_SOURCES) / folder)) {
      if (!entry.is_regular_file() || !Checked(entry.path())) continue;
      ++files;
      CheckFile(entry.path(), faults);
    }
  }
  EXPECT_GT(files, 300);
  std::string all;
  for (const std::string& fault : faults) all += fault + "\n";
  EXPECT_EQ(all, "");
}

}  // namespace
}  // namespace baton::tidy
