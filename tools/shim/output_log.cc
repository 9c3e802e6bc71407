#include "tools/shim/output_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "tools/shim/atomic_file.h"

namespace baton::shim {

OutputLog::OutputLog(std::string path, std::size_t file_bytes_max)
    : path_(std::move(path)), file_bytes_max_(file_bytes_max) {
  unlink((path_ + ".1").c_str());
  Reopen();
}

void OutputLog::Reopen() {
  file_ = UniqueFd(open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600));
  written_ = 0;
}

void OutputLog::Append(std::string_view line) {
  const std::string text = std::string(line) + "\n";
  if (written_ > 0 && written_ + text.size() > file_bytes_max_) {
    rename(path_.c_str(), (path_ + ".1").c_str());
    Reopen();
  }
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t count = write(file_.get(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  written_ += text.size();
  tail_ += text;
  // Cut now and then, not for each line.
  if (tail_.size() > 2 * kTailBytesMax) tail_ = LastLines(tail_, kTailBytesMax);
}

std::string ReadOutputLog(const std::string& path) {
  return ReadWholeFile(path + ".1").value_or("") + ReadWholeFile(path).value_or("");
}

std::string LastLines(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return std::string(text);
  const std::string_view end = text.substr(text.size() - bytes_max);
  const bool cut_between_lines = text[text.size() - bytes_max - 1] == '\n';
  const std::size_t line_end = end.find('\n');
  if (cut_between_lines || line_end == std::string_view::npos || line_end + 1 == end.size()) return std::string(end);
  return std::string(end.substr(line_end + 1));
}

}  // namespace baton::shim
