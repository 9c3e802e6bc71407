// What became of the cases, as lines for a script or as the page docs/generated/cases.md.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tests/cases/case.h"

namespace baton::cases {

class Report {
 public:
  explicit Report(const std::vector<Case>& cases);

  std::string Lines() const;
  std::string Page() const;
  // "agree A differs B disagree C unmapped D"
  std::string Totals() const;
  int disagreements() const { return counts_[static_cast<std::size_t>(Verdict::kDisagree)]; }

 private:
  struct Row {
    Case one;
    Judged judged;
  };
  std::vector<Row> rows_;
  std::array<int, 4> counts_{};
};

}  // namespace baton::cases
