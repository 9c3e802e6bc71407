#include "orchestrator/app/epoch_words.h"

#include <algorithm>

namespace baton {
namespace {

constexpr std::size_t kEnough = 2;
constexpr std::size_t kNamesMost = 1000;  // names cost nothing: a stranger may have any number

}  // namespace

std::optional<std::int64_t> EpochWords::Said(const CellId& cell, std::int64_t epoch, const std::set<CellId>& registered) {
  if (said_.size() >= kNamesMost && !said_.contains(cell)) return std::nullopt;
  said_[cell] = epoch;
  const auto known = static_cast<std::size_t>(
      std::ranges::count_if(said_, [&](const auto& word) { return registered.contains(word.first); }));
  if (said_.size() < kEnough && (known == 0 || 2 * known < registered.size())) return std::nullopt;
  return std::ranges::min_element(said_, {}, [](const auto& word) { return word.second; })->second;
}

}  // namespace baton
