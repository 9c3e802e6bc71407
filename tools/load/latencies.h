// Latencies, counted in buckets: percentiles of any number of requests in a few kilobytes, off by 1 % at most.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace baton::load {

class Latencies {
 public:
  void Add(double latency_ms) {
    const auto us = static_cast<std::uint64_t>(std::max(0.0, latency_ms * 1000));
    ++counts_[std::min(Bucket(us), kBuckets - 1)];
    ++count_;
  }

  void Add(const Latencies& other) {
    for (std::size_t i = 0; i < kBuckets; ++i) counts_[i] += other.counts_[i];
    count_ += other.count_;
  }

  std::int64_t count() const { return count_; }

  // The latency that `share` (0 to 1) of the requests did not exceed; 0 without any.
  double PercentileMs(double share) const {
    const auto rank = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(count_)));
    std::int64_t seen = 0;
    for (std::size_t i = 0; i < kBuckets; ++i) {
      seen += counts_[i];
      if (seen >= rank && seen > 0) return MiddleUs(i) / 1000;
    }
    return 0;
  }

 private:
  // 64 buckets for each doubling, from 64 us; below that one for each microsecond. The last is of about 19 hours.
  static constexpr std::size_t kBuckets = 64 * 32;

  static std::size_t Bucket(std::uint64_t us) {
    if (us < 64) return us;
    const auto shift = static_cast<std::size_t>(std::bit_width(us) - 7);
    return 64 * shift + (us >> shift);
  }
  static double MiddleUs(std::size_t bucket) {
    if (bucket < 128) return static_cast<double>(bucket);
    const std::size_t shift = bucket / 64 - 1;
    const auto first = static_cast<double>((bucket - 64 * shift) << shift);
    return first + static_cast<double>((std::size_t{1} << shift) - 1) / 2;
  }

  std::array<std::int64_t, kBuckets> counts_{};
  std::int64_t count_ = 0;
};

}  // namespace baton::load
