// Holds the rules over one file.
#pragma once

#include <string>
#include <vector>

namespace baton::tidy {

// Each fault as "path:line: what (why)". `path` is relative to the repository.
std::vector<std::string> Check(const std::string& path, const std::string& text);

}  // namespace baton::tidy
