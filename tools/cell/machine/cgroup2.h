// Files of cgroup v2, the kernel's.
#pragma once

#include <string>
#include <vector>

namespace baton::cell {

// Where it is mounted; empty: nowhere.
std::string Cgroup2Mount();
// In one write, in place, as these files take it.
bool WriteCgroupValue(const std::string& path, const std::string& value);
std::vector<std::string> CgroupWords(const std::string& path);

}  // namespace baton::cell
