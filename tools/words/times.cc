#include "tools/words/times.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace baton {
namespace {

constexpr std::int64_t kNanosPerMs = 1'000'000;

}  // namespace

std::string Utc(TimePoint at) {
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss<Duration> time(at - day);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                static_cast<int>(time.seconds().count()), static_cast<int>(time.subseconds().count()));
  return text;
}

std::string HumanTime(std::int64_t nanos) {
  if (nanos == 0) return "-";
  const std::string utc = Utc(FromMicros(nanos / 1000));
  return utc.substr(0, 10) + " " + utc.substr(11, 8) + " UTC";
}

std::string AgeText(Duration age) {
  const std::int64_t s = std::max<std::int64_t>(0, std::chrono::duration_cast<seconds>(age).count());
  if (s < 120) return std::to_string(s) + "s";
  if (s < 2 * 3600) return std::to_string(s / 60) + "m";
  if (s < 2 * 86400) return std::to_string(s / 3600) + "h";
  return std::to_string(s / 86400) + "d";
}

std::string HumanDuration(std::int64_t ms) {
  struct Unit {
    const char* name;
    std::int64_t ms;
  };
  static constexpr std::array<Unit, 4> kUnits{{{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1000}}};
  if (ms > 0 && ms < 1000) return std::to_string(ms) + "ms";
  for (std::size_t i = 0; i < kUnits.size(); ++i) {
    if (ms < kUnits[i].ms) continue;
    std::string text = std::to_string(ms / kUnits[i].ms) + kUnits[i].name;
    if (i + 1 == kUnits.size()) return text;
    const std::int64_t rest = ms % kUnits[i].ms / kUnits[i + 1].ms;
    return rest == 0 ? text : text + std::to_string(rest) + kUnits[i + 1].name;
  }
  return "0s";
}

std::string Age(std::int64_t since, std::int64_t now) {
  return since == 0 ? "-" : HumanDuration((now - since) / kNanosPerMs);
}

}  // namespace baton
