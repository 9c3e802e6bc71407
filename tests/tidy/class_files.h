// A class is in one .cc: where it stands in two, there is a second noun in it that has no name yet.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace baton::tidy {

// The classes of which a source defines members outside of them, "baton::cell::Trash". Not those that are a template,
// or that the source declares itself.
std::set<std::string> ClassesDefinedIn(const std::string& source);

// Each class that is defined in several sources, as "baton::Cells: is in a/x.cc and in b/y.cc", and each of `known`
// that is not; by paths of sources.
std::vector<std::string> CheckClassFiles(const std::map<std::string, std::string>& sources,
                                         const std::set<std::string>& known);

}  // namespace baton::tidy
