// Whether a file was written, or another put in its place, since it was looked at.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>

namespace baton {

struct FileMark {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;  // 0: there is none
  std::int64_t size = 0;
  std::int64_t written_ns = 0;
  std::int64_t changed_ns = 0;  // nobody can set it

  bool operator==(const FileMark&) const = default;

  // Follows links: what a mounted secret is swapped by.
  static FileMark Of(const std::string& path) {
    struct stat there {};
    if (stat(path.c_str(), &there) != 0) return {};
    const auto ns = [](const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; };
    return {there.st_dev, there.st_ino, there.st_size, ns(there.st_mtim), ns(there.st_ctim)};
  }
};

}  // namespace baton
