// Apps of 1.x as any program may have left them, of those that 2.0 can hold. The same seed gives the same app.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "schema/legacy/apps/app.h"

namespace baton::testing {

class RandomApps {
 public:
  explicit RandomApps(std::uint64_t seed) : random_(seed) {}

  LegacyApp Next(const std::string& guid);
  LegacyInstance Instance(std::int64_t index, int presence, const std::string& domain);

  // Less than `bound`.
  int Upto(int bound) { return static_cast<int>(random_() % static_cast<std::uint64_t>(bound)); }
  bool Chance(int percent) { return Upto(100) < percent; }
  std::string Text();

 private:
  std::int64_t Nanos();
  void FillRunInfo(LegacyApp& app);
  LegacyTags Tags();

  std::mt19937_64 random_;
};

}  // namespace baton::testing
