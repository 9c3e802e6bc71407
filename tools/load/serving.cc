#include "tools/load/serving.h"

#include <algorithm>
#include <unordered_map>

namespace baton::load {

std::optional<int> MinServing(std::span<const SlotAnswer> answers, std::int64_t from_ms, std::int64_t to_ms) {
  if (to_ms - from_ms < kServingWindowMs) return std::nullopt;
  std::unordered_map<int, int> in_window;  // slot -> its answers; only slots with some
  const auto before = [](const SlotAnswer& answer, std::int64_t at_ms) { return answer.at_ms < at_ms; };
  auto leaves = std::lower_bound(answers.begin(), answers.end(), from_ms, before);
  auto enters = leaves;
  std::size_t least = SIZE_MAX;
  std::int64_t start = from_ms;
  while (start + kServingWindowMs <= to_ms) {
    for (; enters != answers.end() && enters->at_ms < start + kServingWindowMs; ++enters) ++in_window[enters->index];
    for (; leaves != enters && leaves->at_ms < start; ++leaves) {
      if (--in_window[leaves->index] == 0) in_window.erase(leaves->index);
    }
    least = std::min(least, in_window.size());
    if (in_window.empty()) break;
    start = leaves->at_ms + 1;  // the number only falls when an answer leaves: what is between need not be looked at
  }
  return static_cast<int>(least);
}

}  // namespace baton::load
