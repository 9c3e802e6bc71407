#include "orchestrator/app/cells/epoch_reports.h"

#include <algorithm>

namespace baton {
namespace {

constexpr std::size_t kEnough = 2;
constexpr std::size_t kNamesMax = 1000;  // names cost nothing: a stranger may have any number

}  // namespace

std::optional<std::int64_t> EpochReports::Said(const CellId& cell, std::int64_t epoch, const std::set<CellId>& there,
                                               std::size_t registered) {
  if (said_.size() >= kNamesMax && !said_.contains(cell)) said_.clear();
  said_[cell] = epoch;
  const auto silent = static_cast<std::size_t>(
      std::ranges::count_if(there, [&](const CellId& one) { return !said_.contains(one); }));
  if (said_.size() < kEnough && (silent >= said_.size() || 2 * said_.size() < registered)) return std::nullopt;
  return std::ranges::min_element(said_, {}, [](const auto& word) { return word.second; })->second;
}

}  // namespace baton
