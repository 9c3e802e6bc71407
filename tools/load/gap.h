// The longest time without a successful answer.
#pragma once

#include <algorithm>
#include <cstdint>

namespace baton::load {

// The time up to the first answer counts, from 0, and so does the time since the last one: a target that never answers
// has a gap as long as the load, not none.
class Gap {
 public:
  void Answer(std::int64_t at_ms) {
    longest_ms_ = LongestMs(at_ms);
    last_ms_ = at_ms;
  }

  // Nothing more is sent from now on: what comes later tells nothing about the target.
  void Close(std::int64_t now_ms) {
    Answer(now_ms);
    closed_ = true;
  }

  std::int64_t LongestMs(std::int64_t now_ms) const {
    return closed_ ? longest_ms_ : std::max(longest_ms_, now_ms - last_ms_);
  }

 private:
  std::int64_t last_ms_ = 0;
  std::int64_t longest_ms_ = 0;
  bool closed_ = false;
};

}  // namespace baton::load
