// How many slots were serving: judged from outside, by who answered.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace baton::load {

inline constexpr std::int64_t kServingWindowMs = 1000;

// A fast request's answer: which slot gave it, and when.
struct SlotAnswer {
  std::int64_t at_ms = 0;
  int index = 0;
};

// A window is all that was answered at t <= at_ms < t + 1000, for a whole millisecond t with from_ms <= t and
// t + 1000 <= to_ms. The result is the least number of different slots in any of these windows (there is one for each
// t: they slide by 1 ms); nothing if [from_ms, to_ms] is shorter than a window. `answers` are sorted by time.
// A slot counts as serving in a window if it gave one answer in it: so with n slots the traffic must be dense enough
// to meet each of them every second, or the result says more about the traffic than about the slots.
std::optional<int> MinServing(std::span<const SlotAnswer> answers, std::int64_t from_ms, std::int64_t to_ms);

}  // namespace baton::load
