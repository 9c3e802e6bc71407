// Files and folders that a page of the documentation names: one that was moved or deleted must not leave its name
// behind.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace baton::tidy {

// The faults of a page, each as "path:line: what". A word that begins with a top-level folder (`sql/store/batch.h`),
// also one with `*` or `{a,b}`, must be a file or folder of `files`, which are relative to the repository; words in
// capitals, NAME, stand for anything. A source's name alone between backticks (`batch.cc`) must be that of one of them.
std::vector<std::string> CheckNamedPaths(const std::string& path, const std::string& page,
                                         const std::set<std::string>& files);

}  // namespace baton::tidy
