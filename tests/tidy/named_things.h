// Options, fields, metrics and log events that a page of the documentation names: a renamed or deleted one must not
// leave its name behind.
#pragma once

#include <string>
#include <vector>

namespace baton::tidy {

// The faults of a page, each as "path:line: what". An option (`--like-this`) anywhere, and between backticks a name of
// several words (`like_this`, `BATON_LIKE_THIS`), must stand somewhere in `sources`.
std::vector<std::string> CheckNamedThings(const std::string& path, const std::string& page, const std::string& sources);

}  // namespace baton::tidy
