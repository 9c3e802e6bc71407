// Values as words for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/base/time.h"

namespace baton {

std::string Joined(const std::vector<std::string>& parts, std::string_view separator);
// "1 instance", "3 instances".
std::string Counted(std::size_t count, std::string_view noun);
// "2026-11-20T21:34:05.123456Z".
std::string Utc(TimePoint at);
// "42s", "7m", "5h", "12d": one unit, the largest of which there are two (kubectl does so).
std::string AgeText(Duration age);
// "812 B", "3.4 KiB", "1.0 MiB".
std::string SizeText(std::int64_t bytes);

}  // namespace baton
