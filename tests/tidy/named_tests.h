// Tests that a page of the documentation names: a renamed or deleted test must not leave its name behind.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace baton::tidy {

// `Suite.Name` of each TEST, TEST_F and TEST_P in the text of a source.
std::set<std::string> TestsIn(const std::string& source);

// The faults of a page, each as "path:line: what". A name between backticks, `Suite.Name`, must be one of `tests`.
// In a table whose last column's heading is "test", each row must name at least one.
std::vector<std::string> CheckNamedTests(const std::string& path, const std::string& page,
                                         const std::set<std::string>& tests);

}  // namespace baton::tidy
