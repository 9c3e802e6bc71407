// Which processes belong to a stack: told by its directory.
#pragma once

#include <string>
#include <vector>

namespace baton {

// Command lines of processes that work in the directory or were started with it on their command line.
std::vector<std::string> ProcessesOf(const std::string& dir);

}  // namespace baton
