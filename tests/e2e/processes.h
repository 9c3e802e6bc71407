// Which processes belong to a stack: told by its directory.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace baton {

// By their ids, the command lines of processes that work in the directory or were started with it on their command line.
std::map<pid_t, std::string> ProcessesIn(const std::string& dir);
// The command lines alone.
std::vector<std::string> ProcessesOf(const std::string& dir);

}  // namespace baton
