// A database of schema 2.0 with apps in it, as an older batond left it.
#pragma once

#include <string>

namespace baton {

// `apps` apps of 3 instances; every tenth is rolling; two cells, a domain, events.
std::string Store20(int apps);
// In an empty database.
void MakeStore20(const std::string& url, int apps);

}  // namespace baton
