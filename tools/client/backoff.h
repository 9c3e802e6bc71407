// How long to wait before the next try: doubles from `first` to `most`, with jitter so that many clients spread.
#pragma once

#include <chrono>
#include <random>

namespace baton {

class Backoff {
 public:
  using Milliseconds = std::chrono::milliseconds;
  Backoff(Milliseconds first, Milliseconds most) : first_(first), most_(most), next_(first) {}

  // Half to all of the present step; the step then doubles.
  Milliseconds Next() {
    std::uniform_int_distribution<std::int64_t> spread(next_.count() / 2, next_.count());
    const Milliseconds wait{spread(random_)};
    next_ = std::min(most_, next_ * 2);
    return wait;
  }
  void Reset() { next_ = first_; }

 private:
  Milliseconds first_;
  Milliseconds most_;
  Milliseconds next_;
  std::mt19937_64 random_{std::random_device{}()};
};

}  // namespace baton
