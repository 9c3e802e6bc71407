// Archives for tests, made in memory.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace baton::testing {

// `kind`: tar, tgz, tar.uu or zip. A content that begins with "->" makes a symbolic link.
std::string Archive(const std::string& kind, const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace baton::testing
