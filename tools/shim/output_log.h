// The last output of an instance: lines in two files of a capped size, the newest also in memory for a crash report.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "orchestrator/base/unique_fd.h"

namespace baton::shim {

class OutputLog {
 public:
  static constexpr std::size_t kFileBytesMax = 256 * 1024;
  static constexpr std::size_t kTailBytesMax = 4096;

  // Begins a new `path`; what was there is lost. When it is full it becomes `path`.1.
  explicit OutputLog(std::string path, std::size_t file_bytes_max = kFileBytesMax);

  // `line` without its line end. A full disk loses lines and nothing else.
  void Append(std::string_view line);
  // The newest whole lines.
  const std::string& tail() const { return tail_; }

 private:
  void Reopen();

  std::string path_;
  std::size_t file_bytes_max_;
  UniqueFd file_;
  std::size_t written_ = 0;
  std::string tail_;
};

// Both files of the log, older first.
std::string ReadOutputLog(const std::string& path);

// The last whole lines of `text`, at most `bytes_max`; of a longer single line its end.
std::string LastLines(std::string_view text, std::size_t bytes_max);

}  // namespace baton::shim
