// docs/roll-law.md says what the law says.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tools/law/law_print.h"

namespace baton {
namespace {

TEST(LawPrint, IsThePageInTheDocumentation) {
  std::ifstream in(BATON_LAW_PAGE);
  std::stringstream page;
  page << in.rdbuf();
  EXPECT_EQ(page.str(), PrintLaw()) << "refresh it: build/bin/baton-law > docs/roll-law.md";
}

}  // namespace
}  // namespace baton
