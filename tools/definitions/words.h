// Values as words for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace baton::definitions {

std::string Joined(const std::vector<std::string>& parts, std::string_view separator);
// "1 instance", "3 instances".
std::string Counted(std::size_t count, std::string_view noun);
// "812 B", "3.4 KiB", "1.0 MiB".
std::string SizeText(std::int64_t bytes);

}  // namespace baton::definitions
