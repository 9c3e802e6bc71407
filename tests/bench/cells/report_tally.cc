#include "tests/bench/cells/report_tally.h"

#include <cstdio>

#include "tests/bench/figure.h"

namespace baton::bench {

void ReportTally::Answered(const std::string& cell, const v2::CellReportResult& result) {
  const auto at = sent_.find({cell, result.report_id()});
  if (at == sent_.end()) {
    ++unknown_;
    return;
  }
  took_.push_back(std::chrono::duration<double, std::milli>(Clock::now() - at->second).count());
  sent_.erase(at);
  refused_ += result.outcome() == v2::CellReportResult::REFUSED;
  again_ += result.outcome() == v2::CellReportResult::RETRY;
}

std::string ReportTally::Text() const {
  if (took_.empty()) return "nothing was answered";
  std::vector<double> took = took_;
  const double p50 = Quantile(took, 0.5);
  char text[160];
  std::snprintf(text, sizeof text, "p50 %.3f p99 %.3f answers %zu refused %lld again %lld unknown %lld", p50,
                Quantile(took, 0.99), took.size(), static_cast<long long>(refused_), static_cast<long long>(again_),
                static_cast<long long>(unknown_));
  return text;
}

}  // namespace baton::bench
