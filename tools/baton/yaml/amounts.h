// Sizes, durations and amounts as people write them in an app file.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace baton::cli {

// "256MiB", "1GiB", "2TiB", or with M, G, T: whole MiB. Nothing: another unit, no unit, a sign, or a number that does
// not fit. Units are binary: M is MiB.
std::optional<std::int64_t> ParseMebibytes(std::string_view text);

// "10s", "500ms", "1m30s", "2h", "1d", each unit at most once and the greater ones first: milliseconds, 0 or more.
// "0" needs no unit. Nothing: anything else.
std::optional<std::int64_t> ParseMilliseconds(std::string_view text);

// Instances, or a percentage of an app's instances.
struct Amount {
  std::int32_t value = 0;
  bool percent = false;
};

// "2" or "25%". Nothing: anything else.
std::optional<Amount> ParseAmount(std::string_view text);

}  // namespace baton::cli
