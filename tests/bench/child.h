// A program that is run to its end, and what the operating system counted of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace baton::bench {

struct ChildUsage {
  std::int64_t lines = 0;
  std::int64_t right = 0;  // lines that are as they should be
  double wall_ms = 0;
  double cpu_ms = 0;
  double rss_mb = 0;  // peak
};

// Reads what it prints line by line. Fails the run where it does not end with 0.
ChildUsage RunChild(const std::vector<std::string>& command, const std::function<bool(const std::string& line)>& is_right);

}  // namespace baton::bench
