#include "orchestrator/model/convergence/report.h"

namespace baton {

bool LooksFor(PassKind kind, Category category) {
  switch (category) {
    case Category::kStaleUnclaimed:
    case Category::kMissingInstance:
    case Category::kUnservedRoute:
    case Category::kExtraInstance: return kind != PassKind::kIncremental;
    case Category::kStaleRoutes:
    case Category::kUnprovenApp:
    case Category::kBrokenReference:
    case Category::kUnreadableRow: return kind == PassKind::kAudit;
    default: return true;
  }
}

void Note(SweepReport& report, PassKind kind, TimePoint now, const std::vector<Finding>& findings) {
  for (int i = 0; i < kCategories; ++i) {
    if (!LooksFor(kind, static_cast<Category>(i))) continue;
    CategoryReport& one = report.categories.at(static_cast<std::size_t>(i));
    one.found = 0;
    one.examples.clear();
    one.looked_at = now;
  }
  for (const Finding& finding : findings) {
    CategoryReport& one = report.categories.at(static_cast<std::size_t>(finding.category));
    ++one.found;
    ++one.found_total;
    if (one.examples.size() < kExamplesMax) one.examples.push_back(finding.what);
  }
}

}  // namespace baton
