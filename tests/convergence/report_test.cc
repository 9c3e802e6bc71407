// What a pass found, as it is told.
#include "orchestrator/model/convergence/report.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

TEST(Report, AllAreCountedAndTheFirstTwentyAreShown) {
  SweepReport report;
  const std::vector<Finding> findings(
      21, Finding{.category = Category::kMissingInstance, .app = {}, .what = "slot 1 of app a"});
  Note(report, PassKind::kAudit, TimePoint(), findings);
  Note(report, PassKind::kAudit, TimePoint(), findings);
  const CategoryReport& one = report.categories.at(static_cast<std::size_t>(Category::kMissingInstance));
  EXPECT_EQ(one.found, 21);
  EXPECT_EQ(one.found_total, 42);
  EXPECT_EQ(one.examples.size(), 20u);
}

}  // namespace
}  // namespace baton
