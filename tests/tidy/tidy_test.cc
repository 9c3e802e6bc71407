// The sources keep the rules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/tidy/checker.h"

namespace baton::tidy {
namespace {

namespace fs = std::filesystem;

bool Checked(const fs::path& path) {
  const std::string ending = path.extension();
  return ending == ".cc" || ending == ".h" || ending == ".proto" || ending == ".sql";
}

TEST(Tidy, TheSourcesKeepTheRules) {
  std::vector<std::string> faults;
  int files = 0;
  for (const char* folder : {"convergence", "examples", "orchestrator", "proto", "schema", "sql", "tests", "tools"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(BATON_SOURCES) / folder)) {
      if (!entry.is_regular_file() || !Checked(entry.path())) continue;
      std::ifstream in(entry.path());
      std::stringstream text;
      text << in.rdbuf();
      ++files;
      const auto found = Check(fs::relative(entry.path(), BATON_SOURCES), text.str());
      faults.insert(faults.end(), found.begin(), found.end());
    }
  }
  EXPECT_GT(files, 300);
  std::string all;
  for (const std::string& fault : faults) all += fault + "\n";
  EXPECT_EQ(all, "");
}

}  // namespace
}  // namespace baton::tidy
