// docs/generated/roll-law.md says what the law says, docs/generated/metrics.md what batond measures,
// docs/generated/limits.md what requests may say.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tools/law/law_print.h"
#include "tools/law/limits_print.h"

namespace baton {
namespace {

TEST(LawPrint, IsThePageInTheDocumentation) {
  std::ifstream in(BATON_LAW_PAGE);
  std::stringstream page;
  page << in.rdbuf();
  EXPECT_EQ(page.str(), law::PrintLaw()) << "refresh it: build/bin/baton-law > docs/generated/roll-law.md";
}

TEST(MetricsPage, IsThePageInTheDocumentation) {
  std::ifstream in(BATON_METRICS_PAGE);
  std::stringstream page;
  page << in.rdbuf();
  EXPECT_EQ(page.str(), law::PrintMetrics()) << "refresh it: build/bin/baton-law metrics > docs/generated/metrics.md";
}

TEST(LimitsPage, IsThePageInTheDocumentation) {
  std::ifstream in(BATON_LIMITS_PAGE);
  std::stringstream page;
  page << in.rdbuf();
  EXPECT_EQ(page.str(), law::PrintLimits()) << "refresh it: build/bin/baton-law limits > docs/generated/limits.md";
}

}  // namespace
}  // namespace baton
