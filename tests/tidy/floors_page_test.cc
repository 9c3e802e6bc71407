// docs/generated/floors.md is the table of floors.
#include "tests/tidy/floors_page.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/tidy/read_file.h"

namespace baton::tidy {
namespace {

TEST(Floors, ThePageIsPrintedFromThem) {
  const std::filesystem::path page = std::filesystem::path(BATON_SOURCES) / "docs/generated/floors.md";
  if (std::getenv("BATON_UPDATE_FLOORS")) std::ofstream(page) << FloorsPage();
  EXPECT_EQ(Read(page), FloorsPage()) << "refresh it: BATON_UPDATE_FLOORS=1 build/bin/tidy_test";
}

}  // namespace
}  // namespace baton::tidy
