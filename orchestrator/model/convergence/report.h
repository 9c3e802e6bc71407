// What the last passes found and did, for operators.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/model/convergence/convergence.h"

namespace baton {

inline constexpr std::size_t kExamplesMax = 20;
inline constexpr int kPassKinds = 3;

struct CategoryReport {
  std::int64_t found = 0;        // by the last pass that looked for it
  std::int64_t found_total = 0;  // since this process leads
  std::vector<std::string> examples;
  std::optional<TimePoint> looked_at;
};

struct PassReport {
  std::optional<TimePoint> at;  // the last one of its kind; by the database's clock
  double took_ms = 0;
};

struct SweepReport {
  std::array<CategoryReport, kCategories> categories;
  std::array<PassReport, kPassKinds> passes;
  std::int64_t failed = 0;
  std::string last_failure;
  std::vector<WaitedOut> waited_out;
  LossLimits limits;
};

// Is the category looked for by a pass of this kind?
bool LooksFor(PassKind kind, Category category);

// Takes a pass's findings in.
void Note(SweepReport& report, PassKind kind, TimePoint now, const std::vector<Finding>& findings);

}  // namespace baton
