// What an instance wrote, read from its log (tools/shim/output_log.h) while it is written.
#pragma once

#include <cstddef>
#include <string>

namespace baton::cell {

struct OutputTail {
  static constexpr std::size_t kBytesMax = 256 * 1024;

  std::string bytes;  // at most kBytesMax
  std::string place;  // where they end; of use for this log alone
  bool more = false;  // there is more already
  bool lost = false;  // some of what was asked for is gone
};

// The last `lines` lines of the log at `path`; of more than kBytesMax the end. No such log: nothing, and a place before
// all.
OutputTail LastOutput(const std::string& path, int lines);

// What came after that place. Where that is no more, all there is, and `lost`.
OutputTail OutputAfter(const std::string& path, const std::string& place);

}  // namespace baton::cell
